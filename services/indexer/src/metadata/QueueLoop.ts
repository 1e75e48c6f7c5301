import type { TokenKey } from '@firn/evm-store'
import { type Clock, type Logger, pause } from '@firn/runtime'

/** A queue of tokens, and the work on them. */
export interface QueueLoop<Due extends TokenKey, Outcome extends TokenKey> {
  /** Returns at most `limit` due tokens. */
  readonly due: (limit: number) => Promise<readonly Due[]>
  /** Starts to process tokens. Each promise resolves to an outcome, or to undefined if the signal was aborted. */
  readonly start: (due: readonly Due[]) => Promise<readonly Promise<Outcome | undefined>[]>
  readonly store: (outcomes: readonly Outcome[]) => Promise<void>
  /** Called with the number of tokens in progress. */
  readonly onTaken: (tokens: number) => void
  /** What the loop processes, for logs. */
  readonly name: string
  readonly concurrency: number
  /** Milliseconds between two checks of an empty queue. */
  readonly idleMs: number
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
}

/** Time in milliseconds for which outcomes are collected. They are then written together. */
const GATHER_MS = 50

/** Processes the tokens of a queue until the signal is aborted. Errors of the queue are retried. */
export async function runQueue<Due extends TokenKey, Outcome extends TokenKey>(
  { due, start, store, onTaken, name, concurrency, idleMs, clock, random, logger }: QueueLoop<Due, Outcome>,
  signal: AbortSignal,
): Promise<void> {
  /** Tokens in progress, from the moment they are taken from the queue until their outcome is written. */
  const taken = new Map<string, Promise<void>>()
  const ended: Outcome[] = []
  let wake = () => {}

  const write = async () => {
    const outcomes = ended.slice()
    if (outcomes.length === 0) return
    await store(outcomes)
    ended.splice(0, outcomes.length)
    for (const outcome of outcomes) taken.delete(keyOf(outcome))
  }

  const take = async (): Promise<boolean> => {
    const room = concurrency - taken.size
    if (room < concurrency / 2) return false
    const fresh = (await due(concurrency)).filter((token) => !taken.has(keyOf(token))).slice(0, room)
    if (fresh.length === 0) return false
    const started = await start(fresh)
    for (const [i, token] of fresh.entries()) {
      const end = async () => {
        const outcome = await started[i]?.catch(async (error: unknown) => {
          logger.error({ err: error }, `the ${name} has failed for a token, which is a bug`)
          // The token is still due. It is taken again after a while.
          await sleepUnless(undefined, idleMs, clock, signal)
          taken.delete(keyOf(token))
          return undefined
        })
        if (outcome === undefined || signal.aborted) return
        ended.push(outcome)
        wake()
      }
      taken.set(keyOf(token), end())
    }
    return true
  }

  let failures = 0
  while (!signal.aborted) {
    const ending = new Promise<void>((settle) => {
      wake = settle
    })
    try {
      await write()
      const took = await take()
      failures = 0
      onTaken(taken.size)
      if (!took && ended.length === 0) await sleepUnless(ending, idleMs, clock, signal)
      await sleepUnless(undefined, GATHER_MS, clock, signal)
    } catch (error) {
      if (signal.aborted) break
      failures++
      logger.warn({ err: error }, `the ${name} is waiting for its node or its database`)
      await pause(failures, { clock, random }, signal)
    }
  }
  await Promise.all(taken.values())
}

/** Resolves when `earlier` resolves, when `ms` milliseconds have passed, or when the signal is aborted. */
async function sleepUnless(
  earlier: Promise<void> | undefined,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController()
  const end = () => done.abort()
  // With `AbortSignal.any`, the long-lived signal would keep references to all combined signals.
  signal.addEventListener('abort', end, { once: true })
  const slept = signal.aborted ? undefined : clock.sleep(ms, done.signal).catch(() => {})
  await (earlier === undefined ? slept : Promise.race([earlier, slept]))
  signal.removeEventListener('abort', end)
  done.abort()
}

const keyOf = ({ contract, tokenId }: TokenKey): string =>
  `${Buffer.from(contract).toString('hex')}/${tokenId}`
