import { isFirnError } from '@firn/codec'
import { mutate } from './Mutation.ts'
import * as Prng from './Prng.ts'
import type { Session } from './Target.ts'

/** The input of a case: a function of seed, target and case number alone, so that each case is replayed by itself. */
export const inputOf = (
  corpus: readonly Uint8Array[],
  seed: number,
  target: string,
  index: number,
): Uint8Array => mutate(corpus, Prng.create(`${seed}/${target}/${index}`))

/** Runs one input: undefined when it was taken or refused by a typed error, else what went wrong. */
export const run = async (session: Session, input: Uint8Array): Promise<string | undefined> => {
  try {
    return await session.run(input)
  } catch (error) {
    if (isFirnError(error)) return undefined
    return error instanceof Error ? (error.stack ?? String(error)) : `threw ${String(error)}`
  }
}
