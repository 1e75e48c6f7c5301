import { isFirnError } from '@firn/codec'
import { mutate } from './Mutation.ts'
import * as Prng from './Prng.ts'
import type { Session } from './Target.ts'

/**
 * Returns the input of a case. It depends only on seed, target and case number, so that each case can be
 * replayed separately.
 */
export const inputOf = (
  corpus: readonly Uint8Array[],
  seed: number,
  target: string,
  index: number,
): Uint8Array => mutate(corpus, Prng.create(`${seed}/${target}/${index}`))

/**
 * Runs one input. Returns undefined if the input is accepted or rejected with a typed error, and otherwise a
 * description of the problem.
 */
export const run = async (session: Session, input: Uint8Array): Promise<string | undefined> => {
  try {
    return await session.run(input)
  } catch (error) {
    if (isFirnError(error)) return undefined
    return error instanceof Error ? (error.stack ?? String(error)) : `threw ${String(error)}`
  }
}
