import { Hex, Json } from '@firn/codec'
import { Complexity, NodeJson, PlatformSyntax, PlatformTx, PlatformUtxo } from '@firn/txs'
import * as Case from '../Case.ts'
import { AVAX_ASSET_ID, P_CHAIN_ID } from '../chains/context.ts'
import * as transactions from '../internal/transactions.ts'
import * as Suite from '../Suite.ts'

/**
 * Returns whether a transaction has a name with invalid UTF-8. The name is lost in JSON, so decoding the JSON
 * must fail because the id differs.
 */
const isLossy = (tx: PlatformTx.PlatformTx) =>
  tx.unsignedTx.type === 'CreateChainTx' && !tx.unsignedTx.chainName.isWellFormed()

function checkJson(it: Case.Case, tx: PlatformTx.PlatformTx): void {
  const texts = Case.given(it, 'json') as Readonly<Record<string, string>>
  for (const [networkId, expected] of Object.entries(texts)) {
    const context = NodeJson.context(Number(networkId), 'P')
    Case.same(`json.${networkId}`, expected, Json.stringify(PlatformTx.toJSON(tx, context)))
    const back = Case.attempt(() => PlatformTx.encode(PlatformTx.fromJSON(Json.parse(expected), context)))
    Case.same(
      `bytes after encoding json.${networkId}`,
      isLossy(tx) ? undefined : Case.given(it, 'bytes'),
      back?.value,
    )
  }
}

/** Checks the credentials. Cases without keys contain zeros instead of signatures. */
function checkCredentials(it: Case.Case, tx: PlatformTx.PlatformTx, unsignedBytes: Uint8Array): void {
  const signed = transactions.sign(it, unsignedBytes)
  if (signed.length === 0) return
  const credentials = signed.map((signatures) => ({ type: 'Credential' as const, signatures }))
  Case.same('signed bytes', Case.given(it, 'bytes'), PlatformTx.encode({ ...tx, credentials }))
}

/** Checks the complexity of a transaction, or that its type has none. */
function checkComplexity(it: Case.Case, { unsignedTx }: PlatformTx.PlatformTx): void {
  const expected = Case.given(it, 'complexity') as Readonly<Record<string, string>>
  const actual = Case.attempt(() => Complexity.of(unsignedTx))
  if (expected['error'] === undefined) Case.same('complexity', expected, actual?.value)
  else Case.same('complexity', undefined, actual?.value)
}

function assertSyntax(it: Case.Case, { unsignedTx }: PlatformTx.PlatformTx): void {
  PlatformSyntax.assertValid(unsignedTx, {
    networkId: Case.number(it, 'networkID'),
    avaxAssetId: AVAX_ASSET_ID,
  })
}

/**
 * Checks P-chain transactions: bytes, ids, JSON on each network, UTXOs, signatures, syntax and complexity.
 */
export const platformTxs = Suite.create('platform-txs.json', {
  note(it) {
    transactions.checkChains(it)
    // Only the state of the P-chain contains the subnet of a chain.
    Case.ignore(it, 'otherSubnetChainID', 'subnetOfOtherChain')
    return undefined
  },
  valid(it) {
    const { tx, txID: txId, unsignedBytes } = transactions.checkBytes(it, PlatformTx)
    checkCredentials(it, tx, unsignedBytes)
    checkJson(it, tx)
    transactions.checkFlow(it, PlatformTx.inputIds(tx), PlatformTx.utxos(tx, txId), PlatformUtxo.encode)
    checkComplexity(it, tx)
    transactions.checkSyntax(it, 'syntacticVerifyError', () => assertSyntax(it, tx))
    if (Case.has(it, 'chainNameBytes')) checkChainName(it, tx)
    return undefined
  },
})

/** Checks the bytes of the chain name, which follow its 16-bit length in the transaction. */
function checkChainName(it: Case.Case, tx: PlatformTx.PlatformTx): void {
  const bytes = Hex.encodeBare(PlatformTx.encode(tx))
  Case.same('chainNameBytes', true, bytes.includes(Hex.encodeBare(Case.bytes(it, 'chainNameBytes'))))
}

/**
 * Changes that make a transaction unencodable, by words in the name of the case. The cases contain no bytes.
 */
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

/** Checks the verdicts on P-chain transactions that were mutated or that break a rule. */
export const platformTxsInvalid = Suite.create('platform-txs-invalid.json', {
  decode: (it) => transactions.checkMutated(it, PlatformTx),
  syntactic(it) {
    Case.equals(it, 'stage', 'syntacticVerify')
    return transactions.checkBroken(it, PlatformTx, assertSyntax)
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
