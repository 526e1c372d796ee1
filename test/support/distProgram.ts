// Turns a TypeScript program of the tests into a text that node runs with the compiled modules of `dist`.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * The text of the program, for `node --input-type=module -e`. The compiler checks the program like any other file, so it
 * notices when a function that the program uses has another name.
 *
 * The modules of `src` and `ingest` are imported from `dist`, because some of them read files beside themselves.
 *
 * @param program the path of the program from the root of the checkout.
 */
export async function distProgram(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [COMPILED_MODULES],
  });
  return outputFiles[0]?.text ?? '';
}

const COMPILED_MODULES: Plugin = {
  name: 'compiled modules',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path: imported, resolveDir }) => {
      const module = path.relative('', path.resolve(resolveDir, imported));
      if (!/^(?:src|ingest)\//.test(module)) return null;
      const compiled = path.resolve('dist', module.replace(/\.ts$/, '.js'));
      return { path: pathToFileURL(compiled).href, external: true };
    });
  },
};
