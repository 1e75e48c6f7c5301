import type { ChainAnswers, ChainRequestKind, ChainRequests } from '../Transport.ts'
import type { Voter } from '../Voters.ts'
import type { Context } from './Context.ts'
import { childOf } from './children.ts'

/** A request without the fields that are the same for all requests of a sync. */
export type Question<Kind extends ChainRequestKind> = Omit<ChainRequests[Kind], 'chainId' | 'deadlineMs'>

/** How to ask voters. */
export interface Asking<Kind extends ChainRequestKind> {
  readonly kind: Kind
  readonly voters: readonly Voter[]
  readonly question: Question<Kind>
  /** Maximum number of times that a silent voter is asked. */
  readonly attempts: number
  /**
   * Called with each answer. `done` ends the round at once. After the first `enough`, it ends after the grace, so that
   * silent voters delay nothing.
   */
  readonly onAnswer: (voter: Voter, answer: ChainAnswers[Kind]) => 'done' | 'enough' | undefined
  readonly graceMs: number
}

/** Asks voters at once, and resolves when all have answered or are silent, or when `onAnswer` ends the round. */
export async function askVoters<Kind extends ChainRequestKind>(
  context: Context,
  asking: Asking<Kind>,
): Promise<void> {
  const { voters, graceMs, onAnswer } = asking
  const round = childOf(context.signal)
  const { signal } = round
  let open = voters.length
  let finish: () => void = () => undefined
  let isEnough = false
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const ask = async (voter: Voter) => {
    const answer = await askVoter(context, asking, voter, signal).catch(() => undefined)
    open -= 1
    const verdict = signal.aborted || answer === undefined ? undefined : onAnswer(voter, answer)
    if (open === 0 || verdict === 'done') return finish()
    if (verdict !== 'enough' || isEnough) return
    isEnough = true
    await context.clock.sleep(graceMs, signal).catch(() => undefined)
    finish()
  }
  try {
    for (const voter of voters) void ask(voter)
    if (voters.length > 0) await finished
    context.signal.throwIfAborted()
  } finally {
    round.release()
    round.abort()
  }
}

/** Returns a voter's answer, or undefined if it gives none. Each request is taken from the budget. */
async function askVoter<Kind extends ChainRequestKind>(
  context: Context,
  { attempts, kind, question }: Asking<Kind>,
  { nodeId }: Voter,
  signal: AbortSignal,
): Promise<ChainAnswers[Kind] | undefined> {
  const { budget, chainId, options, transport } = context
  const request = { ...question, chainId, deadlineMs: options.smallTimeoutMs } as ChainRequests[Kind]
  for (let attempt = 0; attempt < attempts; attempt++) {
    await budget.take(signal)
    const answer = await transport
      .ask(kind, nodeId, request, signal)
      .catch((error) => ({ kind: 'disconnected' as const, reason: String(error) }))
    signal.throwIfAborted()
    if (answer.kind === 'answer') return answer.answer
    if (answer.kind === 'disconnected') return undefined
    if (answer.kind === 'malformed') {
      context.drop(nodeId, 'malformed')
      return undefined
    }
  }
  return undefined
}
