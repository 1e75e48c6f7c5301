import * as Codec from '@firn/codec/Codec'
import * as Secp256k1 from '../fx/Secp256k1.ts'
import { Empty, ProofOfPossession } from './Signer.ts'
import { LockIn, LockOut } from './Stakeable.ts'
import * as StakerTx from './StakerTx.ts'

const variants = {
  TransferInput: [5, Secp256k1.TransferInput],
  TransferOutput: [7, Secp256k1.TransferOutput],
  Credential: [9, Secp256k1.Credential],
  Input: [10, Secp256k1.Input],
  OutputOwners: [11, Secp256k1.OutputOwners],
  AddValidatorTx: [12, StakerTx.AddValidatorTx],
  AddDelegatorTx: [14, StakerTx.AddDelegatorTx],
  LockIn: [21, LockIn],
  LockOut: [22, LockOut],
  AddPermissionlessValidatorTx: [25, StakerTx.AddPermissionlessValidatorTx],
  AddPermissionlessDelegatorTx: [26, StakerTx.AddPermissionlessDelegatorTx],
  Empty: [27, Empty],
  ProofOfPossession: [28, ProofOfPossession],
} as const

/**
 * A credential or an authorization. A valid transaction has `Credential` and `Input` here, but the node's
 * parser accepts every type that has a Verify method, including types that inherit the method from an
 * embedded validator.
 */
export type Verifiable =
  | Codec.InferVariants<typeof variants>
  | ({ readonly type: 'AddSubnetValidatorTx' } & AddSubnetValidatorTx)

/** Codec of a validator of a permissioned subnet. */
const SubnetValidator = Codec.struct({ ...StakerTx.Validator.fields, subnetID: Codec.id })

/**
 * Codec of an authorization. The node does not set its chain, so addresses in unusual authorizations print as
 * cb58.
 */
export const Authorization: Codec.Codec<Verifiable> = Codec.lazy((): Codec.Codec<Verifiable> => Verifiable, 4)

/** Layout of the transaction that adds a validator to a permissioned subnet, signed by the subnet's owner. */
export const AddSubnetValidatorTx = Codec.struct({
  ...StakerTx.base,
  validator: SubnetValidator,
  subnetAuthorization: Authorization,
})
export interface AddSubnetValidatorTx extends Codec.InferFields<typeof StakerTx.base> {
  readonly validator: Codec.Infer<typeof SubnetValidator>
  readonly subnetAuthorization: Verifiable
}

const union: Codec.Codec<Verifiable> = Codec.union({
  ...variants,
  AddSubnetValidatorTx: [13, AddSubnetValidatorTx],
})

/** Codec of credentials and authorizations. */
export const Verifiable: Codec.Codec<Verifiable> = Codec.withJson(union, {
  json: (value) => union.toJSON(value),
  unjson: (json, _context, plain) => plain(json),
})
