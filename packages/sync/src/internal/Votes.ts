import type { ChainAnswers, ChainRequestKind, ChainRequests } from '../Transport.ts'
import type { Voter } from '../Voters.ts'
import type { Context } from './Context.ts'

/**
 * Asks a voter, again if it is silent, and returns its answer. Returns undefined if it does not answer. Each request is
 * taken from the budget.
 */
export async function askVoter<Kind extends ChainRequestKind>(
  context: Context,
  kind: Kind,
  { nodeId }: Voter,
  request: Omit<ChainRequests[Kind], 'chainId' | 'deadlineMs'>,
  signal: AbortSignal,
): Promise<ChainAnswers[Kind] | undefined> {
  const { budget, chainId, options, transport } = context
  const full = { ...request, chainId, deadlineMs: options.smallTimeoutMs } as unknown as ChainRequests[Kind]
  for (let attempt = 0; attempt < options.attempts; attempt++) {
    await budget.take(signal)
    const answer = await transport
      .ask(kind, nodeId, full, signal)
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
