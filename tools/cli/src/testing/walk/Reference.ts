import type { Meter } from './Meter.ts'
import { type Step, targetOf } from './plan.ts'
import type { Sent } from './Wire.ts'

/** What requests cost at the bare server, in µs of processor time. For tests only. */
export interface Reference {
  /** Returns the cost of a step's reference, measured once for equal requests. */
  cost(step: Step): Promise<number>
  /** Returns the cost of a plain request, measured again from time to time. */
  plain(): Promise<number>
  /** Measures the step's reference and a plain request once more. */
  now(step: Step): Promise<{ readonly bare: number; readonly plain: number }>
}

/** Number of measurements of which the median counts, and number of requests after which a plain one is measured again. */
const MEASUREMENTS = 5
const PLAIN_MEASUREMENTS = 25
const PLAIN_EVERY = 500

const PLAIN_REQUEST: Sent = {
  head: 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n',
  body: [],
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number
}

/** Creates the costs with which the walk compares. For tests only. */
export function createReference({ measure, bareUrl }: Meter): Reference {
  /** Costs of equal requests. */
  const costs = new Map<string, number>()
  const sample = async (sent: Sent, count: number): Promise<readonly number[]> => {
    const cpus: number[] = []
    for (let done = 0; done < count; done++) cpus.push((await measure(bareUrl, sent)).cpu)
    return cpus
  }
  const referenceOf = (step: Step): Sent => {
    const path = step.isParsed ? '/parse' : '/read'
    return step.reference({ ...targetOf(step, {}), path, until: undefined })
  }
  const keyOf = ({ name, isParsed, kind }: Step, { head, body }: Sent): string => {
    const bytes = body.reduce((sum, part) => sum + part.length, 0)
    return [name, kind, isParsed, head.length >> 6, bytes].join(' ')
  }
  let asked = 0
  let plain = 0
  return {
    async cost(step) {
      const sent = referenceOf(step)
      const key = keyOf(step, sent)
      const cost = costs.get(key) ?? median(await sample(sent, MEASUREMENTS))
      costs.set(key, cost)
      return cost
    },
    async plain() {
      if (asked++ % PLAIN_EVERY === 0) plain = median(await sample(PLAIN_REQUEST, PLAIN_MEASUREMENTS))
      return plain
    },
    async now(step) {
      const { cpu: bare } = await measure(bareUrl, referenceOf(step))
      return { bare, plain: (await measure(bareUrl, PLAIN_REQUEST)).cpu }
    },
  }
}
