import * as Outcome from '../Outcome.ts'
import type { FileReport } from '../Report.ts'
import * as Comparison from './Comparison.ts'
import type { Answer, Exchange, Request } from './Exchange.ts'
import type { Mask } from './Masking.ts'
import type { Named } from './masks.ts'

/** Sends a request to the node that stands in for the one at `port`. */
export type Ask = (port: number, request: Request) => Promise<Answer>

/** What a replay is compared by. */
export interface Options extends Comparison.Rules {
  readonly named: readonly Named[]
  /** What has to happen before a line of a file, from 1, is replayed. */
  readonly before?: (file: string, line: number) => Promise<void>
}

/** What came of one file: its report, and the masks that were needed. */
export interface Replayed {
  readonly report: FileReport
  readonly used: ReadonlySet<Mask>
}

/** Replays the exchanges of one file in their order, one after the other. */
export async function run(
  file: string,
  exchanges: readonly Exchange[],
  ask: Ask,
  options: Options,
): Promise<Replayed> {
  const results: FileReport['results'][number][] = []
  const used = new Set<Mask>()
  for (const [index, exchange] of exchanges.entries()) {
    const named = options.named.find((it) => it.file === file && it.line === index + 1)
    await options.before?.(file, index + 1)
    const compared = await replay(exchange, ask, options)
    for (const mask of compared.used) used.add(mask)
    results.push({
      name: exchange.name,
      outcome: named === undefined ? outcomeOf(compared) : excused(named, compared),
    })
  }
  return { report: { file, results, isReplayed: true }, used }
}

async function replay(exchange: Exchange, ask: Ask, options: Options): Promise<Comparison.Comparison> {
  try {
    return Comparison.compare(exchange, await ask(exchange.port, exchange.request), options)
  } catch (error) {
    return {
      outcome: Outcome.failed('answer', 'an answer', Outcome.describe(error)),
      isMasked: false,
      used: new Set(),
    }
  }
}

function outcomeOf({ outcome, isMasked }: Comparison.Comparison): Outcome.Outcome {
  return outcome.status === 'passed' && isMasked ? Outcome.MASKED : outcome
}

/** The status has to be the recorded one even so, or the one that is named; what is not needed any more is a failure. */
function excused({ reason, status }: Named, { outcome }: Comparison.Comparison): Outcome.Outcome {
  if (outcome.status !== 'failed') return Outcome.failed('exception', `a difference (${reason})`, 'none')
  const isOfStatus = outcome.where === 'status'
  const isNamed = isOfStatus ? String(outcome.actual).startsWith(`${status}:`) : status === undefined
  return isNamed && outcome.where !== 'answer' ? Outcome.skipped(reason) : outcome
}

/** One case for each mask that is not optional: it fails when no answer would differ without it. */
export function reportOfMasks(masks: readonly Mask[], used: ReadonlySet<Mask>): FileReport {
  const results = masks
    .filter(({ isOptional }) => !isOptional)
    .map((mask) => ({
      name: `${mask.method} ${mask.path}`,
      outcome: used.has(mask)
        ? Outcome.PASSED
        : Outcome.failed('mask', 'an answer that differs in this member alone', 'none'),
    }))
  return { file: 'masks', results }
}
