// Sends dear requests to every route of every service, and prints the processor time that they use.
import { openMeter } from './testing/walk/Meter.ts'
import { report as toReport } from './testing/walk/report.ts'
import { type Outcome, walk } from './testing/walk/Walk.ts'

export async function report(print: (text: string) => void): Promise<void> {
  const meter = await openMeter()
  const outcomes: Outcome[] = []
  try {
    await walk(meter, { isLong: true }, (outcome) => outcomes.push(outcome))
  } finally {
    await meter.close()
  }
  print(toReport(outcomes))
  const problems = outcomes.filter(({ problem }) => problem !== undefined).length
  if (problems > 0)
    throw new Error(`${problems} requests are too dear or not refused in time; see the last table`)
}
