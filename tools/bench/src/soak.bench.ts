// Keeps a signature aggregator under a steady load for a long time, while validators fail, the devnet drops
// connections and the aggregator is restarted. Prints every failure that these faults don't explain.
import { setTimeout } from 'node:timers/promises'
import * as AggregatorTrial from './AggregatorTrial.ts'
import * as Table from './Table.ts'

/** Number of requests and the time in which they are sent. `FIRN_BENCH_REQUESTS` and `FIRN_BENCH_MS` replace them. */
const REQUESTS = Number(process.env['FIRN_BENCH_REQUESTS'] ?? 300)
const MILLISECONDS = Number(process.env['FIRN_BENCH_MS'] ?? 60_000)
const VALIDATORS = 20
/** Number of equal parts of the time. Each has faults of its own; memory is printed after each. */
const PHASES = 12
const KINDS = [
  'silent',
  'refuse',
  'wrong-signature',
  'slow',
  'disconnect',
  'garbage',
  'empty',
  'repeat',
] as const
/** Share of all validators that fail in a phase. With one more that is disconnected, 70 % of the weight can sign. */
const SHARE = 0.25
/** Phases in which the aggregator is restarted, and in which its upstream fails. */
const RESTART_AT = 6
const UPSTREAM_DOWN_AT = 3
/** Time for which the upstream fails: less than the age at which the aggregator stops to trust the validators it knows. */
const UPSTREAM_DOWN_MS = 60_000
/** Time of a run above which each phase is printed when it ends. */
const LONG_MS = 300_000
const ATTEMPTS = 40
const PAUSE_MS = 500

export async function report(print: (text: string) => void): Promise<void> {
  const trial = await AggregatorTrial.start(VALIDATORS)
  const rows: string[][] = []
  const failures = new Map<string, number>()
  let next = 0
  let again = 0
  const failed = () => [...failures.values()].reduce((sum, count) => sum + count, 0)
  const one = async () => {
    const message = await trial.accept(next++)
    let reason = ''
    // A request that meets a restart is sent again, as a relayer would.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { status, body } = await trial.aggregate(message).catch((error: Error) => ({
        status: 0,
        body: { message: error.message } as Readonly<Record<string, unknown>>,
      }))
      if (status === 200) return
      reason = `${status}: ${String(body['message']).slice(0, 700)}`
      if (status !== 0 && status !== 503) break
      again += 1
      await setTimeout(PAUSE_MS)
    }
    failures.set(reason, (failures.get(reason) ?? 0) + 1)
  }
  try {
    for (let phase = 0; phase < PHASES; phase++) {
      const kind = KINDS[phase % KINDS.length] ?? 'silent'
      await trial.control('faults', { clear: true, faults: { [kind]: SHARE } })
      await trial.control('disconnect', { nodes: [phase % VALIDATORS] })
      trial.upstream.isDown = phase === UPSTREAM_DOWN_AT
      const upstreamIsBack = setTimeout(Math.min(UPSTREAM_DOWN_MS, MILLISECONDS / PHASES)).then(() => {
        trial.upstream.isDown = false
      })
      const restart = phase === RESTART_AT ? trial.restart() : undefined
      const count = Math.round(REQUESTS / PHASES)
      const pace = MILLISECONDS / PHASES / count
      const sent: Promise<void>[] = []
      for (let i = 0; i < count; i++) {
        sent.push(one())
        await setTimeout(pace)
      }
      await Promise.all([...sent, restart, upstreamIsBack])
      const { memory, loopDelay, cpu } = await trial.usage()
      const mebibytes = `${(memory / 2 ** 20).toFixed(0)} MiB`
      rows.push([kind, String(count), mebibytes, Table.formatTime(loopDelay), Table.formatTime(cpu)])
      if (MILLISECONDS > LONG_MS) print(`${next} requests, ${failed()} failed, ${mebibytes}`)
    }
  } finally {
    await trial.close()
  }
  const head = ['fault', 'requests', 'memory', 'loop delay', 'cpu so far']
  print(
    `${next} requests in ${Table.formatTime(MILLISECONDS)}, ${again} sent again\n${Table.format(head, rows)}`,
  )
  for (const [reason, count] of failures) print(`${count} × ${reason}`)
  if (failures.size === 0) print('no request failed')
}
