#!/usr/bin/env node
import * as Run from './Run.ts'

/** A narrower terminal, or one that does not tell its width, gets plain lines: moving ones would wrap. */
const LEAST_COLUMNS = 40

const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort())

const code = await Run.run(process.argv.slice(2), {
  print: (line) => console.log(line),
  note: (line) => console.error(line),
  isInteractive:
    process.stdin.isTTY === true && process.stderr.isTTY === true && process.stderr.columns >= LEAST_COLUMNS,
  signal: controller.signal,
})
// A service that `firn` runs may have set its own status already.
if (code !== 0) process.exitCode = code
