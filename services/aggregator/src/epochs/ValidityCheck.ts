import type { Prover } from '@firn/aggregation'
import { Hex } from '@firn/codec'
import { BitSet, Quorum, SignedMessage } from '@firn/warp'
import type { AllowList } from '../callers/AllowList.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import * as SigningSubnet from '../p-chain/SigningSubnet.ts'
import type { Subnets } from '../p-chain/Subnets.ts'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import {
  type Destination,
  type DestinationDependencies,
  findHeights,
  findUpcoming,
  rangesFrom,
  unknownHeights,
  type WarningSources,
  withoutEpoch,
} from './DestinationSignatures.ts'
import * as Validity from './Validity.ts'

/** A question about a signed message. */
export interface ValidityRequest {
  readonly signedMessage: Uint8Array
  /** Id of the chain that is to verify the message (32 bytes). By default, the proposed height is used. */
  readonly destinationChain: Uint8Array | undefined
  readonly signingSubnetId: Uint8Array | undefined
  /** From 1 to 100. */
  readonly quorumPercentage: number
}

/** Whether a message verifies at the heights of a range. */
export interface ValidAtHeights extends Validity.Verified, Validity.Period {
  readonly neededWeight: bigint
}

/** The answer to a {@link ValidityRequest}. */
export interface ValidityResult {
  readonly at: SetAtHeight
  /** Undefined if the request has no destination. */
  readonly destination: Destination | undefined
  /** The ranges in ascending order. The first one contains the height that the destination uses now. */
  readonly heights: readonly ValidAtHeights[]
  readonly warnings: readonly Validity.Warning[]
}

/** Verifies existing signed messages. */
export interface ValidityCheck {
  /**
   * Verifies a message at all heights that its destination may use.
   * @throws AggregatorError
   */
  check(request: ValidityRequest, signal?: AbortSignal): Promise<ValidityResult>
}

/** Options of {@link createValidityCheck}. */
export interface ValidityCheckDependencies extends DestinationDependencies, WarningSources {
  readonly networkId: number
  readonly subnets: Pick<Subnets, 'ofChain'>
  readonly allowList: Pick<AllowList, 'assertSigningSubnet'>
  /** Verifies signatures. */
  readonly prover: Pick<Prover.Prover, 'check'>
}

/** Creates the check of signed messages. */
export function createValidityCheck(dependencies: ValidityCheckDependencies): ValidityCheck {
  const { networkId, subnets, heights, clock, forecast, allowList, prover } = dependencies
  return {
    check: async (request, signal) => {
      const { destinationChain, quorumPercentage } = request
      const message = decode(request.signedMessage, networkId)
      const subnetId = await SigningSubnet.find(message.unsigned, request, subnets, signal)
      allowList.assertSigningSubnet(subnetId)
      const destination =
        destinationChain && (await findHeights(destinationChain, subnetId, dependencies, signal))
      const { ranges, isComplete, current, newest } =
        destination ??
        (await rangesFrom((await heights.proposed(signal)).height, subnetId, dependencies, signal))
      const verified = await Validity.verify(message, ranges, { networkId, quorumPercentage, prover })
      return {
        at: current,
        destination,
        heights: verified.map((one, index) => ({
          ...one,
          ...Validity.periodOf(destination?.epoch, index === 0),
          neededWeight: Quorum.needed(one.range.at.set.totalWeight, quorumPercentage),
        })),
        warnings: [
          ...(destination === undefined ? [NO_DESTINATION] : withoutEpoch(destination)),
          ...Validity.warnings({
            epoch: destination?.epoch,
            signers: signersOf(message, verified),
            current,
            newest,
            upcoming: await findUpcoming(destination?.epoch, subnetId, forecast),
            quorumPercentage,
            now: clock.now() / 1000,
          }),
          ...invalidLater(verified),
          ...unknownHeights(isComplete),
        ],
      }
    },
  }
}

/** Warns about later heights at which a message does not verify that verifies at the current height. */
function invalidLater([current, ...later]: readonly Validity.Verified[]): readonly Validity.Warning[] {
  const invalid = later.find(({ result }) => !result.ok)
  if (!current?.result.ok || invalid === undefined) return []
  const { first } = invalid.range
  const message = `the message does not verify at P-chain height ${first}, which the destination may use next; it then needs another signed message`
  return [{ code: 'invalid-later', message }]
}

const NO_DESTINATION: Validity.Warning = {
  code: 'no-destination',
  message: 'without destinationChain, only the heights from the proposed one on were checked',
}

/** Returns the signers as they are in the set for the current height; none if the message does not verify there. */
function signersOf(
  { signature }: SignedMessage.SignedMessage,
  [current]: readonly Validity.Verified[],
): Validity.Signers {
  if (current === undefined || !current.result.ok) return { indices: [], keys: [] }
  return Validity.signersOf(current.range.at, BitSet.decode(signature.signers))
}

function decode(bytes: Uint8Array, networkId: number): SignedMessage.SignedMessage {
  const message = tryDecode(bytes)
  const { networkID: got } = message.unsigned
  if (got === networkId) return message
  throw new AggregatorError(
    'AGGREGATOR_NETWORK_ID',
    `signedMessage: expected network id ${networkId}, got ${got}`,
    { details: { field: 'signedMessage', expected: networkId, got } },
  )
}

function tryDecode(bytes: Uint8Array): SignedMessage.SignedMessage {
  try {
    return SignedMessage.decode(bytes)
  } catch (cause) {
    const start = Hex.encode(bytes.subarray(0, 16))
    throw new AggregatorError(
      'AGGREGATOR_MESSAGE',
      `signedMessage: expected a signed Warp message, got ${bytes.length} bytes that start with ${start}; ${(cause as Error).message}`,
      { details: { field: 'signedMessage' }, cause },
    )
  }
}
