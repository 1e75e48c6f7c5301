import { Hex, Id, NodeId } from '@firn/codec'
import { Quorum } from '@firn/warp'
import type { Static } from 'typebox'
import type { AllowList } from '../callers/AllowList.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { PChain } from '../p-chain/PChain.ts'
import type { SetAtHeight, ValidatorSets } from '../p-chain/ValidatorSets.ts'
import { percentage } from '../peers/ConnectedWeight.ts'
import type { Connections } from '../peers/Connections.ts'
import * as Schema from '../Schema.ts'
import type { Seen, SeenSignatures } from './SeenSignatures.ts'

/** Percentage of a subnet's weight that must be connected. It equals the quorum that the P-chain requires. */
const NEEDED_PERCENTAGE = 67

/** The response body of `GET /v1/readiness/{subnetId}`. The status is 200 when ready, and 503 when not. */
export const Readiness = Schema.object('Readiness', 'Whether messages of a subnet can be signed now', {
  subnetId: Schema.text('Id of the subnet', Schema.EXAMPLE.subnetId),
  status: Schema.choice(['ready', 'not-ready'], 'Whether enough weight is connected'),
  problems: Schema.list(
    Schema.text('A problem', 'validators with 40% of the weight are connected, 67% are needed'),
    'What is missing; empty if nothing is',
  ),
  pChainHeight: Schema.height('P-chain height of the validator set'),
  isProposed: Schema.flag(
    'Whether the validators may sign yet: right after an L1 is created, they are not at the proposed height',
    true,
  ),
  connectedPercentage: Schema.number('Percentage of the weight that is connected', 100),
  neededPercentage: Schema.number('Percentage of the weight that must be connected', 67),
  connectedWeight: Schema.weight('Weight of the connected validators'),
  totalWeight: Schema.weight('Weight of all validators'),
  signedPercentage: Schema.number(
    'Percentage of the weight that has signed a message for this process since its start',
    100,
  ),
  firstSignatureAt: Schema.optional(Schema.time('Time of the first signature')),
  validators: Schema.list(
    Schema.object('ReadinessValidator', 'Connection to one validator', {
      nodeIds: Schema.nodeIds(),
      weight: Schema.weight('Weight of the validator'),
      isConnected: Schema.flag('Whether the service is connected to it', true),
      hasSigned: Schema.flag('Whether it has signed a message for this process', true),
    }),
    'Validators of the subnet',
  ),
})

/** The response body of `GET /v1/readiness/{subnetId}`. */
export type Readiness = Static<typeof Readiness>

/** Returns whether messages of a subnet (32 bytes) can be signed now. */
export type ReadinessCheck = (subnetId: Uint8Array, signal?: AbortSignal) => Promise<Readiness>

/** Options of {@link createReadinessCheck}. */
export interface ReadinessDependencies {
  readonly pChain: Pick<PChain, 'height'>
  readonly validatorSets: ValidatorSets
  readonly connections: Pick<Connections, 'ready' | 'transport'>
  readonly seen: SeenSignatures
  readonly allowList: Pick<AllowList, 'assertSigningSubnet'>
}

/**
 * Creates the check. It starts to connect to the validators of a subnet, even of an L1 that was created a
 * moment ago and has no validators at the proposed height yet. It throws `AGGREGATOR_SUBNET_FORBIDDEN`,
 * `AGGREGATOR_SUBNET_UNKNOWN`, `AGGREGATOR_UPSTREAM`, or `AGGREGATOR_UPSTREAM_STALE`.
 */
export function createReadinessCheck(dependencies: ReadinessDependencies): ReadinessCheck {
  const { pChain, validatorSets, connections, seen, allowList } = dependencies
  return async (subnetId, signal) => {
    allowList.assertSigningSubnet(subnetId)
    const { at, isProposed } = await newestSet(pChain, validatorSets, subnetId, signal)
    // Without patience, this only starts to connect.
    await connections.ready(at, NEEDED_PERCENTAGE, 0, signal)
    const isConnected = (nodeId: Uint8Array) => connections.transport.connection(nodeId).connected
    return toReadiness(at, isProposed, isConnected, seen.find(subnetId))
  }
}

function toReadiness(
  { subnetId, height, set }: SetAtHeight,
  isProposed: boolean,
  isConnected: (nodeId: Uint8Array) => boolean,
  seen: Seen | undefined,
): Readiness {
  const validators = set.validators.map(({ nodeIds, weight, publicKey }) => ({
    nodeIds: nodeIds.map(NodeId.format),
    weight,
    isConnected: nodeIds.some(isConnected),
    hasSigned: seen?.signers.has(Hex.encodeBare(publicKey.compressed)) ?? false,
  }))
  const weightOf = (chosen: typeof validators) => chosen.reduce((sum, { weight }) => sum + weight, 0n)
  const connected = weightOf(validators.filter((one) => one.isConnected))
  const signed = weightOf(validators.filter(({ hasSigned }) => hasSigned))
  const connectedPercentage = percentage(connected, set.totalWeight)
  const problems = [
    ...(isProposed ? [] : [`the validators start at P-chain height ${height}, which is not proposed yet`]),
    ...(Quorum.isMet(connected, set.totalWeight, BigInt(NEEDED_PERCENTAGE))
      ? []
      : [`${connectedPercentage} % of the weight is connected, ${NEEDED_PERCENTAGE} % needed`]),
  ]
  return {
    subnetId: Id.format(subnetId),
    status: problems.length === 0 ? 'ready' : 'not-ready',
    problems,
    pChainHeight: height.toString(),
    isProposed,
    connectedPercentage,
    neededPercentage: NEEDED_PERCENTAGE,
    connectedWeight: connected.toString(),
    totalWeight: set.totalWeight.toString(),
    signedPercentage: percentage(signed, set.totalWeight),
    ...(seen === undefined ? {} : { firstSignatureAt: new Date(seen.firstAt).toISOString() }),
    validators: validators.map((one) => ({ ...one, weight: one.weight.toString() })),
  }
}

/** Returns the set at the proposed height or, if the subnet has no validators there, the set at the tip. */
async function newestSet(
  pChain: Pick<PChain, 'height'>,
  validatorSets: ValidatorSets,
  subnetId: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<{ readonly at: SetAtHeight; readonly isProposed: boolean }> {
  try {
    return { at: await validatorSets.at(subnetId, 'proposed', signal), isProposed: true }
  } catch (error) {
    if (!(error instanceof AggregatorError && error.code === 'AGGREGATOR_SUBNET_UNKNOWN')) throw error
    const tip = await pChain.height(signal)
    return { at: await validatorSets.at(subnetId, tip, signal), isProposed: false }
  }
}
