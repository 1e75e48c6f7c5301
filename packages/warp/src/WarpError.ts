import { FirnError } from '@firn/codec'

/**
 * Codes of {@link WarpError}:
 * - `WARP_WRONG_TYPE`: the bytes hold a payload or message of another type.
 * - `WARP_BIT_SET`: a signer bit set has leading zero bytes, or an index is out of range.
 * - `WARP_WEIGHT`: a weight is outside 0…2^64−1.
 * - `WARP_WEIGHT_OVERFLOW`: the weights of a set add up to more than 2^64−1.
 * - `WARP_PUBLIC_KEY`: a validator's BLS key does not decode (`cause` says why, `details.nodeId` whose).
 * - `WARP_DUPLICATE_NODE`: a node id occurs twice in the input of a validator set.
 * - `WARP_VALIDATOR_SET`: a canonical set is out of order or its weights exceed its total.
 * - `WARP_SUBNET_ID`, `WARP_NODE_ID`, `WARP_ZERO_WEIGHT`, `WARP_OWNER`: a RegisterL1Validator breaks the
 * P-chain's rules.
 * - `WARP_NONCE`: an L1ValidatorWeight uses the nonce that is reserved for removal.
 * - `WARP_PROTOBUF`: bytes are not valid protobuf.
 * - `WARP_JUSTIFICATION`: a justification cannot give a validation id.
 * - `WARP_EVENT`: a log or its data is not a SendWarpMessage event.
 * - `WARP_BUNDLE`: a proof bundle's JSON has another form, or its hash does not match its content.
 * - `WARP_UNRECOGNIZED`: bytes are not a structure that {@link Describe.tree} knows.
 */
export type WarpErrorCode =
  | 'WARP_WRONG_TYPE'
  | 'WARP_BIT_SET'
  | 'WARP_WEIGHT'
  | 'WARP_WEIGHT_OVERFLOW'
  | 'WARP_PUBLIC_KEY'
  | 'WARP_DUPLICATE_NODE'
  | 'WARP_VALIDATOR_SET'
  | 'WARP_SUBNET_ID'
  | 'WARP_NODE_ID'
  | 'WARP_ZERO_WEIGHT'
  | 'WARP_OWNER'
  | 'WARP_NONCE'
  | 'WARP_PROTOBUF'
  | 'WARP_JUSTIFICATION'
  | 'WARP_EVENT'
  | 'WARP_BUNDLE'
  | 'WARP_UNRECOGNIZED'

/** Thrown by everything in this package, besides the CodecError of decoding and the BlsError of keys. */
export class WarpError extends FirnError<WarpErrorCode> {
  override readonly name = 'WarpError'
}
