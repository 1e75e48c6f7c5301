import { Hex, Id } from '@firn/codec'
import type { Static } from 'typebox'
import type { Destination, DestinationSigned } from '../epochs/DestinationSignatures.ts'
import type { Period, Warning } from '../epochs/Validity.ts'
import * as Schema from '../Schema.ts'

/** JSON members of a period. They are absent if the destination has no epochs. */
export const PeriodJson = {
  notBefore: Schema.optional(
    Schema.integer(
      'Unix seconds; no earlier block of the destination uses the height',
      Schema.EXAMPLE.seconds,
    ),
  ),
  earliestExpiry: Schema.optional(
    Schema.integer(
      'Unix seconds; the destination uses no later height before this time, and may still use this one after it',
      Schema.EXAMPLE.seconds + 300,
    ),
  ),
}

/** JSON schema of a destination's epoch; null if the chain has no epochs. */
export const EpochJson = Schema.union(
  [
    Schema.object('Epoch', 'Epoch of a chain', {
      number: Schema.text('Number of the epoch, as a decimal number', '4711'),
      startTime: Schema.integer('Start of the epoch in Unix seconds', Schema.EXAMPLE.seconds),
      durationSeconds: Schema.integer('Minimum length of an epoch in seconds', 300),
      pChainHeight: Schema.height('P-chain height of the validator sets in this epoch'),
    }),
    Schema.nothing('The chain has no epochs'),
  ],
  'Current epoch of the destination; null if it has no epochs',
)

/** JSON schema of the warnings. */
export const WarningsJson = Schema.list(
  Schema.object('AggregationWarning', 'A reason why the message may not verify later', {
    code: Schema.text(
      'Kind of the warning: no-epoch, no-destination, epoch-over, weight-leaving, quorum-at-risk, candidate-not-signed, invalid-later or heights-unknown',
      'weight-leaving',
    ),
    message: Schema.text('The warning in words', 'validators with 5% of the weight leave the set soon'),
  }),
  'Reasons why the message may not verify later',
)

const DestinationSignedJson = Schema.object(
  'DestinationSignedMessage',
  'A message that is signed for a range of heights',
  {
    pChainHeight: Schema.height('First P-chain height at which the message verifies'),
    lastPChainHeight: Schema.height('Last P-chain height at which the message is known to verify'),
    signedMessage: Schema.text('Signed Warp message in hex without 0x', Schema.EXAMPLE.message),
    signedWeight: Schema.weight('Weight of the validators that have signed'),
    totalWeight: Schema.weight('Weight of all validators'),
    ...PeriodJson,
  },
)

/** The members that a response has in addition if the request names a destination. */
export const DestinationMembers = {
  destinationChain: Schema.optional(
    Schema.text('Id of the chain that is to verify the message', Schema.EXAMPLE.chainId),
  ),
  epoch: Schema.optional(EpochJson),
  signedMessages: Schema.optional(
    Schema.list(
      DestinationSignedJson,
      'One signed message for each height that the destination may use, current epoch first',
    ),
  ),
  ...PeriodJson,
  warnings: Schema.optional(WarningsJson),
}

/** Converts the signed messages for a destination to JSON. */
export function destinationJson({ destination, messages, warnings }: DestinationSigned) {
  const [current] = messages
  return {
    ...toJson(destination),
    signedMessages: messages.map(({ first, last, result, signedWeight, totalWeight, ...period }) => ({
      pChainHeight: first.toString(),
      lastPChainHeight: last.toString(),
      signedMessage: Hex.encodeBare(result.signedMessage),
      signedWeight: signedWeight.toString(),
      totalWeight: totalWeight.toString(),
      ...periodJson(period),
    })),
    ...(current === undefined ? {} : periodJson(current)),
    warnings: [...warnings] as Warning[],
  }
}

/** Converts a destination to JSON. */
export function toJson({ chainId, epoch }: Destination): {
  destinationChain: string
  epoch: Static<typeof EpochJson>
} {
  return {
    destinationChain: Id.format(chainId),
    epoch:
      epoch === undefined
        ? null
        : {
            number: epoch.number.toString(),
            startTime: Number(epoch.startTime),
            durationSeconds: epoch.durationSeconds,
            pChainHeight: epoch.pChainHeight.toString(),
          },
  }
}

/** Converts a period to JSON. Omits unknown times. */
export function periodJson({ notBefore, earliestExpiry }: Period): {
  notBefore?: number
  earliestExpiry?: number
} {
  return {
    ...(notBefore === undefined ? {} : { notBefore: Number(notBefore) }),
    ...(earliestExpiry === undefined ? {} : { earliestExpiry: Number(earliestExpiry) }),
  }
}
