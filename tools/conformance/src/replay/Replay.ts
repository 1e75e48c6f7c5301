import * as Outcome from '../Outcome.ts'
import type { FileReport } from '../Report.ts'
import * as Comparison from './Comparison.ts'
import type { Answer, Exchange, Request } from './Exchange.ts'
import type { Mask } from './Masking.ts'
import type { Named } from './masks.ts'

/** Sends a request to the server that replaces the recorded node at `port`. */
export type Ask = (port: number, request: Request) => Promise<Answer>

/** Options of {@link run}. */
export interface Options extends Comparison.Rules {
  readonly named: readonly Named[]
  /** Called before each line of a file is replayed. Lines are counted from 1. */
  readonly before?: (file: string, line: number) => Promise<void>
}

/** The result of one file: its report and the masks that were needed. */
export interface Replayed {
  readonly report: FileReport
  readonly used: ReadonlySet<Mask>
}

/** Replays the exchanges of one file in order and waits for each response. */
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

/**
 * Returns the outcome of an exchange that is listed as an exception. Its status must equal the recorded or
 * the listed status. It fails if the response no longer differs.
 */
function excused({ reason, status }: Named, { outcome }: Comparison.Comparison): Outcome.Outcome {
  if (outcome.status !== 'failed') return Outcome.failed('exception', `a difference (${reason})`, 'none')
  const isOfStatus = outcome.where === 'status'
  const isNamed = isOfStatus ? String(outcome.actual).startsWith(`${status}:`) : status === undefined
  return isNamed && outcome.where !== 'answer' ? Outcome.skipped(reason) : outcome
}

/** Returns one case for each required mask. The case fails if no response would differ without the mask. */
export function reportOfMasks(masks: readonly Mask[], used: ReadonlySet<Mask>): FileReport {
  const results = masks
    .filter(({ isOptional }) => !isOptional)
    .map((mask) => ({
      name: `${mask.method} ${mask.path}`,
      outcome: used.has(mask)
        ? Outcome.PASSED
        : Outcome.failed('mask', 'a response that differs only in this member', 'none'),
    }))
  return { file: 'masks', results }
}
