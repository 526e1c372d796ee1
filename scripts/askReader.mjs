// Preloaded into the program that reads files for an ingest process: asks it for one file, and ends it when it has that.

import { deserialize } from 'node:v8';

process.send = (report) => {
  if ('staged' in report) process.exit();
};
process.on('newListener', (event) => {
  if (event === 'message') setImmediate(() => process.emit('message', deserialize(REQUEST)));
});

const REQUEST = Buffer.from(process.env.REQUEST, 'base64');
