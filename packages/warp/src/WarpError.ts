import { FirnError } from '@firn/codec'

/**
 * Codes of {@link WarpError}:
 * - `WARP_WRONG_TYPE`: the bytes hold a payload or message of another type.
 * - `WARP_BIT_SET`: a signer bit set has leading zero bytes, or an index is out of range.
 * - `WARP_WEIGHT`: a weight is not between 0 and 2^64−1.
 * - `WARP_QUORUM`: a quorum is not a whole number of percent from 0 to 100.
 * - `WARP_WEIGHT_OVERFLOW`: the weights of a set add up to more than 2^64−1.
 * - `WARP_PUBLIC_KEY`: a validator's BLS key does not decode. `cause` has the reason, `details.nodeId` the
 * validator.
 * - `WARP_DUPLICATE_NODE`: a node id occurs twice in the input of a validator set.
 * - `WARP_VALIDATOR_SET`: a canonical set is out of order, or its weights exceed its total.
 * - `WARP_SUBNET_ID`, `WARP_NODE_ID`, `WARP_ZERO_WEIGHT`, `WARP_OWNER`: a RegisterL1Validator breaks the
 * P-chain's rules.
 * - `WARP_NONCE`: an L1ValidatorWeight with a weight above 0 uses the nonce that is reserved for removal.
 * - `WARP_PROTOBUF`: bytes are not the expected protobuf message.
 * - `WARP_JUSTIFICATION`: the validation id of a justification cannot be computed.
 * - `WARP_EVENT`: a log or its data is not a SendWarpMessage event.
 * - `WARP_PREDICATE`: storage keys of an access list are not a predicate.
 * - `WARP_BUNDLE`: the hash in a proof bundle's JSON is missing or does not match the content.
 * - `WARP_UNRECOGNIZED`: bytes are not a structure that {@link Describe.tree} recognizes.
 */
export type WarpErrorCode =
  | 'WARP_WRONG_TYPE'
  | 'WARP_BIT_SET'
  | 'WARP_WEIGHT'
  | 'WARP_QUORUM'
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
  | 'WARP_PREDICATE'
  | 'WARP_BUNDLE'
  | 'WARP_UNRECOGNIZED'

/**
 * The error that this package throws. Decoding also throws CodecError, and checks of keys also throw
 * BlsError.
 */
export class WarpError extends FirnError<WarpErrorCode> {
  override readonly name = 'WarpError'
}
