// Preloaded into the program that reads files for an ingest process: requests one file, and ends the program after it.

import { deserialize } from 'node:v8';

process.send = (report) => {
  if ('staged' in report) process.exit();
};
process.on('newListener', (event) => {
  if (event === 'message') setImmediate(() => process.emit('message', deserialize(REQUEST)));
});

const REQUEST = Buffer.from(process.env.REQUEST, 'base64');
