// Preloaded into a measured process: writes the resource use of the process to file descriptor 3 when it ends.

import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024 }));
});
