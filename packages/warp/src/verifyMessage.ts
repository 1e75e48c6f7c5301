import { CodecError, Hex, Id } from '@firn/codec'
import * as Quorum from './Quorum.ts'
import * as SignedMessage from './SignedMessage.ts'
import * as ValidatorSet from './ValidatorSet.ts'
import * as Verification from './Verification.ts'

type Options = { readonly signal?: AbortSignal | undefined }

/**
 * A node, as {@link verifyMessage} needs it: `createValidatorSource` of `@firn/rpc/client` creates one from a URL. Ids
 * and keys are text, as in the node's JSON.
 */
export interface ValidatorSource {
  /** Returns the id of the verifier's network, such as 1 (Mainnet) or 5 (Fuji). */
  getNetworkId(options?: Options): Promise<number>
  /** Returns the id of the subnet that validates a blockchain. */
  getSubnetId(blockchainId: string, options?: Options): Promise<string>
  /** Returns the current P-chain height. */
  getHeight(options?: Options): Promise<bigint>
  /** Returns the validators of a subnet at a P-chain height, by NodeID. Their compressed BLS keys are hex, or null. */
  getValidators(
    subnetId: string,
    height: bigint,
    options?: Options,
  ): Promise<ReadonlyMap<string, { readonly publicKey: string | null; readonly weight: bigint }>>
}

/** Options of {@link verifyMessage}. */
export interface VerifyMessageOptions extends Options {
  /** The share of the weight that must have signed; 67 % by default, as in the Warp precompile. */
  readonly quorum?: Quorum.Quorum
  /**
   * Id of the subnet whose validators must have signed; by default, the one that validates the message's source chain.
   * An L1 that receives messages of the C-chain or P-chain usually requires its own validators instead.
   */
  readonly subnetId?: string
  /** The P-chain height of the validator set; the current one by default. */
  readonly height?: bigint
}

/** The result of {@link verifyMessage}, with the decoded message and the validator set that was used. */
export type VerifiedMessage = Verification.Result & {
  readonly message: SignedMessage.SignedMessage
  readonly subnetId: string
  readonly height: bigint
}

/**
 * Verifies a signed message (bytes or hex) with the validators that a node reports. An invalid message is a result with
 * `ok: false` and the reason; see `Verification.Invalid`.
 * @example
 * ```ts
 * import { type ValidatorSource, verifyMessage } from '@firn/warp'
 *
 * // import { createValidatorSource } from '@firn/rpc/client'
 * // const source = createValidatorSource({ url: 'https://api.avax.network' })
 * declare const source: ValidatorSource
 * declare const signedMessage: string
 * const result = await verifyMessage(signedMessage, source)
 * if (!result.ok) console.log(result.code, result.reason)
 * ```
 * @throws CodecError if the bytes are not a signed message, WarpError if the validators have no valid keys, and the
 * errors of the source
 */
export async function verifyMessage(
  signedMessage: string | Uint8Array,
  source: ValidatorSource,
  options: VerifyMessageOptions = {},
): Promise<VerifiedMessage> {
  const { quorum = Quorum.DEFAULT, signal } = options
  const message = decode(signedMessage)
  const [networkId, subnetId, height] = await Promise.all([
    source.getNetworkId({ signal }),
    options.subnetId ?? source.getSubnetId(Id.format(message.unsigned.sourceChainID), { signal }),
    options.height ?? source.getHeight({ signal }),
  ])
  const nodes = Array.from(
    await source.getValidators(subnetId, height, { signal }),
    ([nodeId, { publicKey, weight }]) =>
      [nodeId, { weight, publicKey: publicKey === null ? null : Hex.decode(publicKey) }] as const,
  )
  const validatorSet = ValidatorSet.fromNodeIds(new Map(nodes))
  return {
    ...Verification.verify(message, { networkId, validatorSet, quorum }),
    message,
    subnetId,
    height,
  }
}

/** @throws CodecError that says what was expected */
function decode(signedMessage: string | Uint8Array): SignedMessage.SignedMessage {
  try {
    return SignedMessage.decode(
      typeof signedMessage === 'string' ? Hex.decodeAny(signedMessage) : signedMessage,
    )
  } catch (cause) {
    if (!(cause instanceof CodecError)) throw cause
    const got = signedMessage.length === 0 ? 'nothing' : `other bytes: ${cause.message}`
    const { code, path, offset, details } = cause
    const options = { cause, path, details, ...(offset !== undefined && { offset }) }
    throw new CodecError(code, `signedMessage: expected a signed Warp message, got ${got}`, options)
  }
}
