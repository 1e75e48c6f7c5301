import { parseArgs } from 'node:util'
import * as Soak from './Soak.ts'
import * as Verdict from './Verdict.ts'

const MINUTE_MS = 60_000

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: { hours: { type: 'string' }, minutes: { type: 'string' } },
})
const minutes = Number(values.hours ?? 0) * 60 + Number(values.minutes ?? 0)
if (minutes > 0) await soak(minutes * MINUTE_MS)
else {
  console.error('soak: pass a time, such as npm run soak -- --hours 24, or --minutes 5')
  process.exitCode = 2
}

async function soak(milliseconds: number): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  const record = await Soak.run(milliseconds, console.log, stop.signal)
  const { text, problems } = Verdict.judge(record)
  console.log(`\n${text}\n`)
  for (const problem of problems) console.log(problem)
  console.log(problems.length === 0 ? 'soak passed' : `soak failed: ${problems.length} problems found`)
  if (problems.length > 0) process.exitCode = 1
}
