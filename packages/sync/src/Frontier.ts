import { Hex, Id } from '@firn/codec'
import type { Context } from './internal/Context.ts'
import { askVoters } from './internal/Votes.ts'
import * as Voters from './Voters.ts'

/** Returns the voters that are connected, the heaviest first. */
export function reachableVoters({ transport, voters }: Context): readonly Voters.Voter[] {
  const connected = new Set(Array.from(transport.connected(), Hex.encodeBare))
  return voters()
    .filter(({ nodeId }) => connected.has(Hex.encodeBare(nodeId)))
    .toSorted((a, b) => (a.weight < b.weight ? 1 : a.weight > b.weight ? -1 : 0))
}

/** Share of the sample after whose answers the others are waited for only for a short time. */
const ENOUGH_ANSWERS = 2 / 3

/**
 * Asks a sample of the connected voters for the last block that each has accepted, and returns the different ones. They
 * are candidates only: any voter may lie.
 */
export async function candidates(context: Context): Promise<readonly Uint8Array[]> {
  const { options, random } = context
  const voters = Voters.sample(reachableVoters(context), options.sampleSize, random)
  const ids = new Map<string, Uint8Array>()
  let answers = 0
  await askVoters(context, {
    kind: 'acceptedFrontier',
    voters,
    question: {},
    attempts: options.attempts,
    graceMs: options.voteGraceMs,
    onAnswer(_voter, { containerId }) {
      answers += 1
      if (containerId.length === Id.LENGTH) ids.set(Hex.encodeBare(containerId), containerId)
      return answers >= voters.length * ENOUGH_ANSWERS ? 'enough' : undefined
    },
  })
  return [...ids.values()]
}

/**
 * Asks all connected voters which of the candidates they have accepted. Returns those that voters with more than half
 * of the total weight have accepted, including the weight of voters that are not connected or do not answer.
 */
export async function acceptedByMajority(
  context: Context,
  containerIds: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  if (containerIds.length === 0) return []
  const { options } = context
  const total = Voters.totalWeight(context.voters())
  const weights = new Map(containerIds.map((id) => [Hex.encodeBare(id), 0n]))
  const isAccepted = (id: Uint8Array) => 2n * (weights.get(Hex.encodeBare(id)) ?? 0n) > total
  await askVoters(context, {
    kind: 'accepted',
    voters: reachableVoters(context),
    question: { containerIds },
    attempts: options.attempts,
    // Voters that have not answered may have accepted a later block.
    graceMs: options.voteGraceMs,
    onAnswer(voter, answer) {
      // A voter counts once for a block, however often it names it.
      for (const key of new Set(answer.containerIds.slice(0, containerIds.length).map(Hex.encodeBare))) {
        const weight = weights.get(key)
        if (weight !== undefined) weights.set(key, weight + voter.weight)
      }
      return containerIds.some(isAccepted) ? 'enough' : undefined
    },
  })
  return containerIds.filter(isAccepted)
}
