import { Hex, Id, Json } from '@firn/codec'
import { Signature } from '@firn/keys'
import { Complexity, NodeJson, PlatformSyntax, PlatformTx, PlatformUtxo, UtxoId } from '@firn/txs'
import * as Case from '../Case.ts'
import { AVAX_ASSET_ID, C_CHAIN_ID, P_CHAIN_ID, X_CHAIN_ID } from '../chains/context.ts'
import { ofDump, ofValue } from '../internal/goFields.ts'
import * as Suite from '../Suite.ts'

/** Names that are no UTF-8 are lost in JSON: reading it back must be refused, since the id is another. */
const isLossy = (tx: PlatformTx.PlatformTx) =>
  tx.unsignedTx.type === 'CreateChainTx' && !tx.unsignedTx.chainName.isWellFormed()

function checkJson(it: Case.Case, tx: PlatformTx.PlatformTx): void {
  const texts = Case.given(it, 'json') as Readonly<Record<string, string>>
  for (const [networkID, expected] of Object.entries(texts)) {
    const context = NodeJson.context(Number(networkID), 'P')
    Case.same(`json.${networkID}`, expected, Json.stringify(PlatformTx.toJSON(tx, context)))
    const back = Case.attempt(() => PlatformTx.encode(PlatformTx.fromJSON(Json.parse(expected), context)))
    Case.same(`bytes from json.${networkID}`, isLossy(tx) ? undefined : Case.given(it, 'bytes'), back?.value)
  }
}

function checkFlow(it: Case.Case, tx: PlatformTx.PlatformTx, txID: Uint8Array): void {
  Case.same('inputIDs', [...Case.list(it, 'inputIDs')].sort(), PlatformTx.inputIds(tx).map(Id.format).sort())
  const utxos = PlatformTx.utxos(tx, txID).map((utxo) => ({
    inputID: Id.format(UtxoId.inputId(utxo)),
    bytes: PlatformUtxo.encode(utxo),
  }))
  Case.equals(it, 'utxos', utxos)
}

/** Signing is deterministic: the given keys make the credentials. Where zeros stand for signatures, no key is given. */
function checkCredentials(it: Case.Case, tx: PlatformTx.PlatformTx, unsignedBytes: Uint8Array): void {
  const signers = Case.list(it, 'signers') as readonly (readonly string[])[]
  if (signers.length === 0) return
  const credentials = signers.map((keys) => ({
    type: 'Credential' as const,
    signatures: keys.map((key) => Signature.signMessage(unsignedBytes, Hex.decode(key))),
  }))
  Case.same('signed bytes', Case.given(it, 'bytes'), PlatformTx.encode({ ...tx, credentials }))
}

/** The complexity, or that the type has none. */
function checkComplexity(it: Case.Case, { unsignedTx }: PlatformTx.PlatformTx): void {
  const expected = Case.given(it, 'complexity') as Readonly<Record<string, string>>
  const actual = Case.attempt(() => Complexity.of(unsignedTx))
  if (expected['error'] === undefined) Case.same('complexity', expected, actual?.value)
  else Case.same('complexity', undefined, actual?.value)
}

function assertSyntax(it: Case.Case, { unsignedTx }: PlatformTx.PlatformTx): void {
  PlatformSyntax.assertValid(unsignedTx, {
    networkID: Case.number(it, 'networkID'),
    avaxAssetID: AVAX_ASSET_ID,
  })
}

/** P-chain transactions: bytes, ids, JSON on each network, UTXOs, signatures, checks and complexity. */
export const platformTxs = Suite.create('platform-txs.json', {
  note(it) {
    Case.equals(it, 'xChainID', Id.format(X_CHAIN_ID))
    Case.equals(it, 'cChainID', Id.format(C_CHAIN_ID))
    Case.equals(it, 'pChainID', Id.format(P_CHAIN_ID))
    Case.equals(it, 'avaxAssetID', Id.format(AVAX_ASSET_ID))
    // Which subnet a chain is of is known to the chain's state only.
    Case.ignore(it, 'otherSubnetChainID', 'subnetOfOtherChain')
    return undefined
  },
  valid(it) {
    const bytes = Case.bytes(it, 'bytes')
    const tx = PlatformTx.decode(bytes)
    const txID = PlatformTx.id(bytes)
    const unsignedBytes = PlatformTx.unsignedBytes(bytes, tx)
    Case.equals(it, 'bytes', PlatformTx.encode(tx))
    Case.equals(it, 'txType', tx.unsignedTx.type)
    Case.equals(it, 'unsignedBytes', unsignedBytes)
    Case.equals(it, 'unsignedBytes', PlatformTx.encodeUnsigned(tx.unsignedTx))
    Case.equals(it, 'idBytes', txID)
    Case.equals(it, 'id', Id.format(txID))
    Case.same('fields', ofDump(Case.given(it, 'fields')), ofValue(tx))
    checkCredentials(it, tx, unsignedBytes)
    checkJson(it, tx)
    checkFlow(it, tx, txID)
    checkComplexity(it, tx)
    const isValid = Case.attempt(() => assertSyntax(it, tx) ?? true) !== undefined
    Case.same('syntacticVerifyError', Case.given(it, 'syntacticVerifyError') === null, isValid)
    if (Case.has(it, 'chainNameBytes')) checkChainName(it, tx)
    return undefined
  },
})

/** The name's bytes stand behind its u16 length in the transaction. */
function checkChainName(it: Case.Case, tx: PlatformTx.PlatformTx): void {
  const bytes = Hex.encodeBare(PlatformTx.encode(tx))
  Case.same('chainNameBytes', true, bytes.includes(Hex.encodeBare(Case.bytes(it, 'chainNameBytes'))))
}

/** What may not be encoded, by the words of the case's name: there are no bytes to give. */
const UNENCODABLE: readonly (readonly [words: string, change: (base: object) => unknown])[] = [
  [
    'nested LockOut',
    (base) => {
      const lock = (output: unknown) => ({ type: 'LockOut', locktime: 1n, output })
      const transfer = { type: 'TransferOutput', amount: 1n, locktime: 0n, threshold: 0, addresses: [] }
      const outputs = [{ assetID: AVAX_ASSET_ID, output: lock(lock(transfer)) }]
      return { ...base, type: 'BaseTx', outputs }
    },
  ],
  [
    'larger than 256 KiB',
    (base) => ({
      ...base,
      type: 'CreateChainTx',
      subnetID: AVAX_ASSET_ID,
      chainName: 'chain',
      vmID: AVAX_ASSET_ID,
      fxIDs: [],
      genesisData: new Uint8Array(256 * 1024),
      subnetAuthorization: { type: 'Input', signatureIndices: [] },
    }),
  ],
]

/** Mutated P-chain transactions, and such that break a rule: verdicts. */
export const platformTxsInvalid = Suite.create('platform-txs-invalid.json', {
  decode(it) {
    // What the transaction was before it was changed.
    Case.ignore(it, 'txType')
    const parsed = Case.verdict(it, () => PlatformTx.decode(Case.bytes(it, 'bytes')))
    if (parsed === undefined) return undefined
    Case.equals(it, 'id', Id.format(PlatformTx.id(PlatformTx.encode(parsed.value))))
    Case.equals(it, 'parsedTxType', parsed.value.unsignedTx.type)
    return undefined
  },
  syntactic(it) {
    Case.equals(it, 'stage', 'syntacticVerify')
    const tx = PlatformTx.decode(Case.bytes(it, 'bytes'))
    Case.equals(it, 'txType', tx.unsignedTx.type)
    Case.equals(it, 'id', Id.format(PlatformTx.id(PlatformTx.encode(tx))))
    Case.verdict(it, () => assertSyntax(it, tx))
    return undefined
  },
  marshal(it) {
    const base = { networkID: 1, blockchainID: P_CHAIN_ID, outputs: [], inputs: [], memo: new Uint8Array() }
    const make = UNENCODABLE.find(([words]) => it.name.includes(words))?.[1]
    const unsignedTx = make?.(base) as PlatformTx.PlatformTx['unsignedTx'] | undefined
    Case.equals(it, 'txType', unsignedTx?.type)
    Case.verdict(it, () => PlatformTx.encode({ unsignedTx: unsignedTx as never, credentials: [] }))
    return undefined
  },
})
