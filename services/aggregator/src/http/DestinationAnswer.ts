import { Hex, Id } from '@firn/codec'
import { type Static, Type } from 'typebox'
import type { Destination, DestinationSigned } from '../epochs/DestinationSignatures.ts'
import type { Period, Warning } from '../epochs/Validity.ts'

const text = Type.String()

/** JSON members of a period. They are absent if the destination has no epochs. */
export const PeriodJson = {
  notBefore: Type.Optional(
    Type.Integer({ description: 'Unix seconds; no earlier block of the destination uses the height' }),
  ),
  earliestExpiry: Type.Optional(
    Type.Integer({
      description:
        'Unix seconds; the destination uses no later height before this time, and may still use this one after it',
    }),
  ),
}

/** JSON schema of a destination's epoch; null if the chain has no epochs. */
export const EpochJson = Type.Union([
  Type.Object({
    number: text,
    startTime: Type.Integer({ description: 'Unix seconds' }),
    durationSeconds: Type.Integer({ description: 'minimum length of an epoch' }),
    pChainHeight: text,
  }),
  Type.Null(),
])

/** JSON schema of the warnings. */
export const WarningsJson = Type.Array(
  Type.Object({
    code: Type.String({
      description:
        'no-epoch, no-destination, epoch-over, weight-leaving, quorum-at-risk, candidate-not-signed, invalid-later or heights-unknown',
    }),
    message: text,
  }),
)

/** The members that a response has in addition if the request names a destination. */
export const DestinationMembers = {
  destinationChain: Type.Optional(text),
  epoch: Type.Optional(EpochJson),
  signedMessages: Type.Optional(
    Type.Array(
      Type.Object({
        pChainHeight: text,
        lastPChainHeight: Type.String({
          description: 'the message verifies at the heights from pChainHeight to lastPChainHeight',
        }),
        signedMessage: Type.String({ description: 'signed Warp message in hex without 0x' }),
        signedWeight: text,
        totalWeight: text,
        ...PeriodJson,
      }),
      { description: 'one signed message for each height that the destination may use, current epoch first' },
    ),
  ),
  ...PeriodJson,
  warnings: Type.Optional(WarningsJson),
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
