#!/usr/bin/env node
import * as Run from './Run.ts'

const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort())

const code = await Run.run(process.argv.slice(2), {
  print: (line) => console.log(line),
  note: (line) => console.error(line),
  isInteractive: process.stdout.isTTY === true && process.stdin.isTTY === true,
  signal: controller.signal,
})
// A service that `firn` runs may have set its own status already.
if (code !== 0) process.exitCode = code
