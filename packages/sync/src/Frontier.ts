import { Hex } from '@firn/codec'
import type { Context } from './internal/Context.ts'
import { childOf } from './internal/children.ts'
import { askVoter } from './internal/Votes.ts'
import * as Voters from './Voters.ts'

/**
 * Asks a sample of the connected voters for the last block that each has accepted, and returns the different ones. They
 * are candidates only: any voter may lie.
 */
export async function candidates(context: Context): Promise<readonly Uint8Array[]> {
  const { options, random, signal, transport } = context
  const connected = new Set(Array.from(transport.connected(), Hex.encodeBare))
  const reachable = context.voters().filter(({ nodeId }) => connected.has(Hex.encodeBare(nodeId)))
  const asked = Voters.sample(reachable, options.sampleSize, random)
  const answers = await Promise.all(
    asked.map((voter) => askVoter(context, 'acceptedFrontier', voter, {}, signal)),
  )
  const byKey = new Map(
    answers.flatMap((answer) =>
      answer?.containerId.length === 32 ? [[Hex.encodeBare(answer.containerId), answer.containerId]] : [],
    ),
  )
  return [...byKey.values()]
}

/**
 * Asks all connected voters which of the candidates they have accepted. Returns those that voters with more than half
 * of the total weight have accepted, including the weight of voters that are not connected or do not answer.
 */
export async function acceptedByMajority(
  context: Context,
  containerIds: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const { clock, options, transport } = context
  if (containerIds.length === 0) return []
  const voters = context.voters()
  const total = Voters.totalWeight(voters)
  const connected = new Set(Array.from(transport.connected(), Hex.encodeBare))
  const weights = new Map(containerIds.map((id) => [Hex.encodeBare(id), 0n]))
  const isAccepted = (id: Uint8Array) => 2n * (weights.get(Hex.encodeBare(id)) ?? 0n) > total
  const round = childOf(context.signal)
  const { signal } = round
  let open = 0
  const ask = async (voter: Voters.Voter) => {
    open += 1
    const answer = await askVoter(context, 'accepted', voter, { containerIds }, signal).catch(() => undefined)
    open -= 1
    const keys = new Set((answer?.containerIds ?? []).slice(0, containerIds.length).map(Hex.encodeBare))
    for (const key of keys) {
      const weight = weights.get(key)
      if (weight !== undefined) weights.set(key, weight + voter.weight)
    }
    if (open === 0) return finish()
    // Voters that have not answered may have accepted a later block, but silent ones must not delay the sync.
    if (containerIds.some(isAccepted)) clock.sleep(options.voteGraceMs, signal).then(finish, finish)
  }
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  try {
    const asked = voters.filter(({ nodeId }) => connected.has(Hex.encodeBare(nodeId)))
    if (asked.length === 0) return []
    for (const voter of asked.toSorted((a, b) => Number(b.weight - a.weight))) void ask(voter)
    await finished
    context.signal.throwIfAborted()
    return containerIds.filter(isAccepted)
  } finally {
    round.release()
    round.abort()
  }
}
