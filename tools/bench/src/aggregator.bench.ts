// Measures the signature aggregator with devnets of increasing size.
import * as AggregatorTrial from './AggregatorTrial.ts'
import * as Quantiles from './Quantiles.ts'
import * as Table from './Table.ts'

const SIZES = [5, 100, 1000]
const WARM_UP = 5
const MESSAGES = 30

export async function report(print: (text: string) => void): Promise<void> {
  const rows: string[][] = []
  for (const size of SIZES) rows.push(await measure(size))
  const head = ['validators', 'fresh p50', 'p95', 'cpu each', 'cached p50', 'p95', 'cpu each', 'memory']
  print(`Aggregation over HTTP, quorum 67 %, ${MESSAGES} messages in sequence\n${Table.format(head, rows)}`)
}

async function measure(size: number): Promise<string[]> {
  const trial = await AggregatorTrial.start(size)
  try {
    const messages: string[] = []
    for (let i = 0; i < WARM_UP + MESSAGES; i++) messages.push(await trial.accept(i))
    await timeAll(trial, messages.splice(0, WARM_UP))
    const before = await trial.usage()
    const fresh = await timeAll(trial, messages)
    const between = await trial.usage()
    const cached = await timeAll(trial, messages)
    const after = await trial.usage()
    return [
      String(size),
      ...summary(fresh, between.cpu - before.cpu),
      ...summary(cached, after.cpu - between.cpu),
      `${(after.memory / 2 ** 20).toFixed(0)} MiB`,
    ]
  } finally {
    await trial.close()
  }
}

function summary(times: readonly number[], cpu: number): string[] {
  return [Quantiles.at(times, 0.5), Quantiles.at(times, 0.95), cpu / times.length].map(Table.formatTime)
}

async function timeAll(
  trial: AggregatorTrial.AggregatorTrial,
  messages: readonly string[],
): Promise<number[]> {
  const times: number[] = []
  for (const message of messages) {
    const start = performance.now()
    const { body } = await trial.aggregate(message)
    times.push(performance.now() - start)
    if (typeof body['signedMessage'] !== 'string')
      throw new Error('the signature aggregator returned no signed message')
  }
  return times
}
