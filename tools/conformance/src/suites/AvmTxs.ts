import { Json } from '@firn/codec'
import { AvmFees, AvmFx, AvmSyntax, AvmTx, AvmUtxo, NodeJson } from '@firn/txs'
import * as Case from '../Case.ts'
import { AVAX_ASSET_ID, X_CHAIN_ID } from '../chains/context.ts'
import * as transactions from '../internal/transactions.ts'
import * as Suite from '../Suite.ts'

/** Names of the feature extensions, by index. */
const FX_NAMES = ['secp256k1fx', 'nftfx', 'propertyfx']

function assertSyntax(it: Case.Case, tx: AvmTx.AvmTx): void {
  const networkId = Case.number(it, 'networkID')
  AvmSyntax.assertValid(tx, { networkId, blockchainId: X_CHAIN_ID, avaxAssetId: AVAX_ASSET_ID })
}

function checkJson(it: Case.Case, tx: AvmTx.AvmTx): void {
  const texts = Case.given(it, 'json') as Readonly<Record<string, string>>
  for (const [networkId, expected] of Object.entries(texts)) {
    const context = NodeJson.context(Number(networkId), 'X')
    Case.same(`json.${networkId}`, expected, Json.stringify(AvmTx.toJSON(tx, context)))
    const back = AvmTx.fromJSON(Json.parse(expected), context)
    Case.same(`bytes after encoding json.${networkId}`, Case.given(it, 'bytes'), AvmTx.encode(back))
  }
}

function checkCredentials(it: Case.Case, { credentials }: AvmTx.AvmTx, unsignedBytes: Uint8Array): void {
  const fxs = credentials.map((credential) => FX_NAMES[AvmFx.IDS.indexOf(AvmFx.idOf(credential))])
  Case.equals(it, 'credentialFx', fxs)
  transactions.checkSignatures(it, credentials, unsignedBytes)
}

/** Checks X-chain transactions: bytes, ids, JSON on each network, UTXOs, signatures and syntax. */
export const avmTxs = Suite.create('avm-txs.json', {
  note(it) {
    transactions.checkChains(it)
    Case.same('txFee', BigInt(Case.number(it, 'txFee')), AvmFees.DEFAULT.tx)
    Case.same('createAssetTxFee', BigInt(Case.number(it, 'createAssetTxFee')), AvmFees.DEFAULT.createAsset)
    Case.equals(it, 'fxs', FX_NAMES)
    return undefined
  },
  valid(it) {
    const { tx, txID: txId, unsignedBytes } = transactions.checkBytes(it, AvmTx)
    checkCredentials(it, tx, unsignedBytes)
    checkJson(it, tx)
    transactions.checkFlow(it, AvmTx.inputIds(tx), AvmUtxo.of(tx, txId), AvmUtxo.encode)
    transactions.checkSyntax(it, 'syntacticVerifyError', () => assertSyntax(it, tx))
    return undefined
  },
})

/** Checks the verdicts on X-chain transactions that were mutated or that break a rule. */
export const avmTxsInvalid = Suite.create('avm-txs-invalid.json', {
  decode: (it) => transactions.checkMutated(it, AvmTx),
  syntactic: (it) => transactions.checkBroken(it, AvmTx, assertSyntax),
})
