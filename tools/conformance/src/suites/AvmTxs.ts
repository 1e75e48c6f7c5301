import { Hex, Id, Json } from '@firn/codec'
import { Signature } from '@firn/keys'
import { AvmFees, AvmFx, AvmSyntax, AvmTx, AvmUtxo, NodeJson, UtxoId } from '@firn/txs'
import * as Case from '../Case.ts'
import { AVAX_ASSET_ID, C_CHAIN_ID, P_CHAIN_ID, X_CHAIN_ID } from '../chains/context.ts'
import { ofDump, ofValue } from '../internal/goFields.ts'
import * as Suite from '../Suite.ts'

/** Names of the feature extensions by their index. */
const FX_NAMES = ['secp256k1fx', 'nftfx', 'propertyfx']

function assertSyntax(it: Case.Case, tx: AvmTx.AvmTx): void {
  const networkID = Case.number(it, 'networkID')
  AvmSyntax.assertValid(tx, { networkID, blockchainID: X_CHAIN_ID, avaxAssetID: AVAX_ASSET_ID })
}

function checkJson(it: Case.Case, tx: AvmTx.AvmTx): void {
  const texts = Case.given(it, 'json') as Readonly<Record<string, string>>
  for (const [networkID, expected] of Object.entries(texts)) {
    const context = NodeJson.context(Number(networkID), 'X')
    Case.same(`json.${networkID}`, expected, Json.stringify(AvmTx.toJSON(tx, context)))
    const back = AvmTx.fromJSON(Json.parse(expected), context)
    Case.same(`bytes from json.${networkID}`, Case.given(it, 'bytes'), AvmTx.encode(back))
  }
}

function checkFlow(it: Case.Case, tx: AvmTx.AvmTx, txID: Uint8Array): void {
  Case.same('inputIDs', [...Case.list(it, 'inputIDs')].sort(), AvmTx.inputIds(tx).map(Id.format).sort())
  const utxos = AvmUtxo.of(tx, txID).map((utxo) => ({
    inputID: Id.format(UtxoId.inputId(utxo)),
    bytes: AvmUtxo.encode(utxo),
  }))
  Case.equals(it, 'utxos', utxos)
}

/** Signing is deterministic: the given keys make the credentials. */
function checkCredentials(it: Case.Case, { credentials }: AvmTx.AvmTx, unsignedBytes: Uint8Array): void {
  const fxs = credentials.map((credential) => FX_NAMES[AvmFx.IDS.indexOf(AvmFx.idOf(credential))])
  Case.equals(it, 'credentialFx', fxs)
  const signed = (Case.list(it, 'signers') as readonly (readonly string[])[]).map((keys) =>
    keys.map((key) => Signature.signMessage(unsignedBytes, Hex.decode(key))),
  )
  const signatures = credentials.map((credential) =>
    'signatures' in credential ? credential.signatures : null,
  )
  Case.same('signatures', signed, signatures)
}

/** X-chain transactions: bytes, ids, JSON on each network, UTXOs, signatures and checks. */
export const avmTxs = Suite.create('avm-txs.json', {
  note(it) {
    Case.equals(it, 'xChainID', Id.format(X_CHAIN_ID))
    Case.equals(it, 'cChainID', Id.format(C_CHAIN_ID))
    Case.equals(it, 'pChainID', Id.format(P_CHAIN_ID))
    Case.equals(it, 'avaxAssetID', Id.format(AVAX_ASSET_ID))
    Case.same('txFee', BigInt(Case.number(it, 'txFee')), AvmFees.DEFAULT.tx)
    Case.same('createAssetTxFee', BigInt(Case.number(it, 'createAssetTxFee')), AvmFees.DEFAULT.createAsset)
    Case.equals(it, 'fxs', FX_NAMES)
    return undefined
  },
  valid(it) {
    const bytes = Case.bytes(it, 'bytes')
    const tx = AvmTx.decode(bytes)
    const txID = AvmTx.id(bytes)
    const unsignedBytes = AvmTx.unsignedBytes(bytes, tx)
    Case.equals(it, 'bytes', AvmTx.encode(tx))
    Case.equals(it, 'txType', tx.unsignedTx.type)
    Case.equals(it, 'unsignedBytes', unsignedBytes)
    Case.equals(it, 'unsignedBytes', AvmTx.encodeUnsigned(tx.unsignedTx))
    Case.equals(it, 'idBytes', txID)
    Case.equals(it, 'id', Id.format(txID))
    Case.same('fields', ofDump(Case.given(it, 'fields')), ofValue(tx))
    checkCredentials(it, tx, unsignedBytes)
    checkJson(it, tx)
    checkFlow(it, tx, txID)
    const isValid = Case.attempt(() => assertSyntax(it, tx) ?? true) !== undefined
    Case.same('syntacticVerifyError', Case.given(it, 'syntacticVerifyError') === null, isValid)
    return undefined
  },
})

/** Mutated X-chain transactions, and such that break a rule: verdicts. */
export const avmTxsInvalid = Suite.create('avm-txs-invalid.json', {
  decode(it) {
    // What the transaction was before it was changed.
    Case.ignore(it, 'txType')
    const parsed = Case.verdict(it, () => AvmTx.decode(Case.bytes(it, 'bytes')))
    if (parsed === undefined) return undefined
    Case.equals(it, 'id', Id.format(AvmTx.id(AvmTx.encode(parsed.value))))
    Case.equals(it, 'parsedTxType', parsed.value.unsignedTx.type)
    return undefined
  },
  syntactic(it) {
    const tx = AvmTx.decode(Case.bytes(it, 'bytes'))
    Case.equals(it, 'txType', tx.unsignedTx.type)
    Case.equals(it, 'id', Id.format(AvmTx.id(AvmTx.encode(tx))))
    Case.verdict(it, () => assertSyntax(it, tx))
    return undefined
  },
})
