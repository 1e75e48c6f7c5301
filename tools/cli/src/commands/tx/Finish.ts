import { type ChainAlias, CheckedHex, Id, Json } from '@firn/codec'
import type { Terminal } from '@firn/options'
import { AtomicTx, AvmTx, NodeJson, PlatformTx, Signatures, Signers, Signing } from '@firn/txs'
import { Drafts, issueOnceThereIsGas, type Node, waitForAcceptance } from '@firn/wallet'
import { CliError } from '../../CliError.ts'
import * as Progress from '../../Progress.ts'
import type { Setting } from './Setting.ts'
import * as Words from './Words.ts'

/** Options of the commands that print or send a transaction. */
export type Output = {
  readonly upstream?: string | undefined
  readonly json: boolean
  readonly send: boolean
  readonly timeout: number
}

/** Signs a draft and prints it; or, as the options say, only describes it, or sends it. */
export const finish = async (
  draft: Signing.Draft,
  made: (draft: Signing.Draft) => object,
  setting: Pick<Setting, 'options' | 'keys' | 'upstream' | 'context'>,
  terminal: Terminal,
): Promise<void> => {
  const { options, keys, upstream, context } = setting
  if (options.dryRun) {
    const { avaxAssetId } = context.network
    for (const line of Words.describe({ ...draft, draft, avaxAssetId })) terminal.print(line)
    const bytes = Signing.encodePartial(draft)
    const expected = draft.signers.map(({ addresses }) => addresses)
    for (const line of Words.signatures(Signatures.of(draft.chain, bytes, { expected }), bytes))
      terminal.print(line)
    return
  }
  await output(Signing.sign(draft, keys), made, { options, upstream }, terminal)
}

/** Prints a signed draft, or sends it with `--send`. */
export const output = async (
  signed: Signing.Draft,
  made: (draft: Signing.Draft) => object,
  { options, upstream }: { readonly options: Output; readonly upstream: Node | undefined },
  terminal: Terminal,
): Promise<void> => {
  if (!options.send) return print(signed, options, terminal)
  if (upstream === undefined)
    throw new CliError('CLI_USAGE', '--send: pass --upstream <url>, the node that issues the transaction')
  const left = Signing.missing(signed)
  if (left.length > 0) {
    const names = addressesOf(signed, left).join(', ')
    throw new CliError(
      'CLI_INPUT',
      `signatures of ${names} are missing. Print the transaction without --send, and pass it to firn tx sign with their keys`,
    )
  }
  const { chain } = signed
  const txId = await send({ chain, bytes: Signing.encode(signed) }, upstream, options, terminal)
  const result: Readonly<Record<string, Json.Json>> = { txId, ...made(signed) }
  if (options.json) terminal.print(Json.stringify(result))
  else for (const [name, value] of Object.entries(result)) terminal.print(`${name} ${String(value)}`)
}

/** Issues a signed transaction, waits until it is accepted, and returns its id. */
export const send = async (
  { chain, bytes }: { readonly chain: ChainAlias; readonly bytes: Uint8Array },
  node: Node,
  { timeout }: Pick<Output, 'timeout'>,
  terminal: Terminal,
): Promise<string> => {
  const { signal } = terminal
  const txId = await issueOnceThereIsGas(async () => Id.format(await node.issue(chain, bytes, signal)), {
    signal,
    timeoutMs: timeout,
  })
  terminal.note(`issued ${txId}`)
  await Progress.during(terminal, 'waiting until it is accepted', () =>
    waitForAcceptance(node, chain, txId, { signal, timeoutMs: timeout }),
  )
  terminal.note(`accepted ${txId}`)
  return txId
}

const addressesOf = ({ chain, unsignedTx }: Signing.Draft, payloads: readonly Uint8Array[]): string[] =>
  payloads.map(Signers.formatted(chain, unsignedTx).format)

/**
 * Prints the hex of a draft with a checksum, and the request with which a node issues it. If signatures are
 * missing, the second line is the JSON for `firn tx sign` instead. With `--json`, prints only one document.
 */
const print = (
  draft: Signing.Draft,
  { json, upstream }: Omit<Output, 'timeout'>,
  terminal: Terminal,
): void => {
  const missing = addressesOf(draft, Signing.missing(draft))
  const isComplete = missing.length === 0
  const { path, method } = ISSUE[draft.chain]
  const hex = CheckedHex.encode(Signing.encodePartial(draft))
  const body = { jsonrpc: '2.0', id: 1, method, params: { tx: hex, encoding: 'hex' } }
  const document = {
    ...(Drafts.toJson(draft) as unknown as Readonly<Record<string, Json.Json>>),
    id: isComplete ? Id.format(Signing.id(draft)) : null,
    missing,
    ...(isComplete ? { issue: { path, body } } : {}),
    tx: nodeJson(draft),
  }
  if (json) terminal.print(Json.stringify(document))
  else {
    terminal.print(hex)
    terminal.print(Json.stringify(isComplete ? body : document))
  }
  if (!isComplete) terminal.note(`signatures missing: ${missing.join(', ')}; pass this to firn tx sign`)
  else if (!json)
    terminal.note(
      `to issue it, pass this to firn tx issue, or POST the last line to ${upstream ?? ''}${path}`,
    )
}

const ISSUE = {
  P: { path: '/ext/bc/P', method: 'platform.issueTx' },
  X: { path: '/ext/bc/X', method: 'avm.issueTx' },
  C: { path: '/ext/bc/C/avax', method: 'avax.issueTx' },
} as const

/** Returns the JSON in which a node prints the transaction. */
const nodeJson = (draft: Signing.Draft): Json.Json => {
  const { networkID: networkId } = draft.unsignedTx as Pick<AvmTx.Of<'BaseTx'>, 'networkID'>
  const context = NodeJson.context(networkId, draft.chain)
  const bytes = Signing.encodePartial(draft)
  if (draft.chain === 'P') return PlatformTx.toJSON(PlatformTx.decode(bytes), context)
  return draft.chain === 'X'
    ? AvmTx.toJSON(AvmTx.decode(bytes), context)
    : AtomicTx.toJSON(AtomicTx.decode(bytes))
}
