// Sends bursts of messages to a signature aggregator, with and without faulty validators, and compares every report
// with what the validators did.
import { Fate } from '@firn/devnet'
import * as AggregatorTrial from './AggregatorTrial.ts'
import * as Quantiles from './Quantiles.ts'
import * as Table from './Table.ts'

/** Numbers of validators and of requests at once. `FIRN_BENCH_VALIDATORS` and `FIRN_BENCH_AT_ONCE` replace them. */
const VALIDATORS = list('FIRN_BENCH_VALIDATORS', [20, 100])
const AT_ONCE = list('FIRN_BENCH_AT_ONCE', [1, 8, 64, 200, 500])
/** Shares of the weight by fault: 30 % in all, so that 67 % can still sign. */
const FAULTS = { silent: 0.1, refuse: 0.1, 'wrong-signature': 0.1 }
const WARM_UP = 3
/** Time for which a client that gets `Retry-After` keeps trying. */
const PATIENCE_MS = 600_000

export async function report(print: (text: string) => void): Promise<void> {
  const head = [
    'validators',
    'faulty',
    'at once',
    'messages',
    'signed',
    'retry later',
    'failed',
    'false reasons',
  ]
  const measures = ['wall', 'p50', 'p95', 'cpu each', 'loop delay', 'memory']
  const rows: string[][] = []
  const complaints = new Set<string>()
  for (const size of VALIDATORS) {
    const trial = await AggregatorTrial.start(size)
    try {
      let index = 0
      for (; index < WARM_UP; index++) await trial.aggregate(await trial.accept(index))
      for (const isFaulty of [false, true]) {
        const behaviours = await setFaults(trial, isFaulty)
        for (const atOnce of AT_ONCE) {
          for (const isDistinct of [true, false]) {
            const messages = await accept(trial, index, isDistinct ? atOnce : 1)
            index += messages.length
            const all = Array.from({ length: atOnce }, (_, i) => messages[i % messages.length] ?? '')
            const measured = await burst(trial, all, behaviours, complaints)
            const kind = isDistinct ? 'distinct' : 'equal'
            rows.push([String(size), isFaulty ? '30 %' : 'none', String(atOnce), kind, ...measured])
          }
        }
      }
    } finally {
      await trial.close()
    }
  }
  print(`Bursts over HTTP, quorum 67 %\n${Table.format([...head, ...measures], rows)}`)
  if (complaints.size > 0) print([...complaints].slice(0, 20).join('\n'))
}

async function accept(
  trial: AggregatorTrial.AggregatorTrial,
  first: number,
  count: number,
): Promise<string[]> {
  const messages: string[] = []
  for (let i = 0; i < count; i++) messages.push(await trial.accept(first + i))
  return messages
}

/** Sets or clears the faults, and returns the behaviour of every faulty validator by node id. */
async function setFaults(
  trial: AggregatorTrial.AggregatorTrial,
  isFaulty: boolean,
): Promise<ReadonlyMap<string, Fate.Behaviour>> {
  await trial.control('faults', { clear: true, faults: isFaulty ? FAULTS : {} })
  const state = (await (await fetch(`${trial.rpcUrl}/devnet`)).json()) as {
    validators: { nodeID: string; fault: { kind: Fate.Behaviour } | null }[]
  }
  return new Map(state.validators.map((validator) => [validator.nodeID, validator.fault?.kind ?? 'none']))
}

/** Sends all messages at once, and again when the service says so. */
async function burst(
  trial: AggregatorTrial.AggregatorTrial,
  messages: readonly string[],
  behaviours: ReadonlyMap<string, Fate.Behaviour>,
  complaints: Set<string>,
): Promise<string[]> {
  const before = await trial.usage()
  const start = performance.now()
  const times: number[] = []
  const counts = { signed: 0, retried: 0, failed: 0, falseReasons: 0 }
  const one = async (message: string): Promise<void> => {
    for (;;) {
      const { status, retryAfter, body } = await trial.aggregate(message, true)
      if (retryAfter !== undefined && status !== 200 && performance.now() - start < PATIENCE_MS) {
        counts.retried += 1
        await new Promise((settle) => setTimeout(settle, retryAfter * 1_000))
        continue
      }
      times.push(performance.now() - start)
      const fates = (body['report'] as { validators?: Fate.Fate[] } | undefined)?.validators ?? []
      const wrong = Fate.falseReasons(fates, behaviours)
      counts.falseReasons += wrong.length
      for (const complaint of wrong) complaints.add(complaint)
      if (typeof body['signedMessage'] === 'string') counts.signed += 1
      else {
        counts.failed += 1
        complaints.add(`${status}: ${String(body['message']).slice(0, 300)}`)
      }
      return
    }
  }
  await Promise.all(messages.map(one))
  const wall = performance.now() - start
  const after = await trial.usage()
  return [
    ...[counts.signed, counts.retried, counts.failed, counts.falseReasons].map(String),
    ...[wall, Quantiles.at(times, 0.5), Quantiles.at(times, 0.95)].map(Table.formatTime),
    Table.formatTime((after.cpu - before.cpu) / messages.length),
    Table.formatTime(after.loopDelay),
    `${(after.memory / 2 ** 20).toFixed(0)} MiB`,
  ]
}

function list(name: string, fallback: readonly number[]): readonly number[] {
  const text = process.env[name]
  return text === undefined ? fallback : text.split(',').map(Number)
}
