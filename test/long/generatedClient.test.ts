// A Go client that oapi-codegen generates from docs/openapi.json gets the same amounts as the API sends.

import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { notTried } from '../support/notTried.ts';
import { sharedServer } from '../support/sharedServer.ts';

const GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';

/** A program that prints the amounts of a page of ggr, one a line. */
const PROGRAM = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

func main() {
	sign := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Getenv("API_KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("API_URL"), WithRequestEditorFn(sign))
	if err != nil {
		panic(err)
	}
	countries := []string{"United Kingdom", "Malta"}
	limit := int32(1000)
	page, err := client.GetFinancialsWithResponse(context.Background(), &GetFinancialsParams{
		Metric: "ggr", Country: &countries, Limit: &limit,
	})
	if err != nil {
		panic(err)
	}
	for _, item := range page.JSON200.Data {
		row, err := item.AsGgrRow()
		if err != nil {
			panic(err)
		}
		fmt.Println(strconv.FormatFloat(*row.Values.Ggr, 'f', -1, 64))
	}
}
`;

it('amounts keep all their digits in Go', async () => {
  if (spawnSync('go', ['version']).status !== 0) {
    notTried('go is not installed, which runs the generated client');
    return;
  }
  const server = await sharedServer();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'generated-client-'));
  const env = { ...process.env, API_URL: server.url, API_KEY: server.key };
  const go = async (...args: string[]) =>
    (await promisify(execFile)('go', args, { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout;
  await cp('docs/openapi.json', path.join(folder, 'openapi.json'));
  await writeFile(path.join(folder, 'main.go'), PROGRAM);
  await go('mod', 'init', 'client');
  await writeFile(
    path.join(folder, 'client.go'),
    await go('run', GENERATOR, '-package', 'main', '-generate', 'types,client', 'openapi.json'),
  );
  await go('get', RUNTIME);
  const amounts = (await go('run', '.')).trim().split('\n');

  const query = 'metric=ggr&country=United%20Kingdom&country=Malta&limit=1000';
  const answer = await fetch(`${server.url}/v1/financials?${query}`, {
    headers: { 'x-api-key': server.key },
  });
  const { data } = (await answer.json()) as { data: { values: { ggr: number } }[] };
  expect(data.length).toBeGreaterThan(100);
  expect(amounts).toEqual(data.map(({ values }) => String(values.ggr)));
  await rm(folder, { recursive: true });
}, 600_000);
