import { isFirnError } from '@firn/codec'
import { type Block, BlockReader, type EvmError } from '@firn/evm'
import { isObject } from '@firn/rpc'
import { IndexerError } from '../../common/IndexerError.ts'
import type { Abilities } from './abilities.ts'
import * as Calls from './calls.ts'
import type { Answer, Call } from './JsonRpc.ts'

/** A block to fetch, by hash if known, otherwise by height. */
export interface BlockRequest {
  readonly height: bigint
  /** Block hash: `0x` and 64 hex digits. */
  readonly hash?: string | undefined
}

/** A complete block, or the error because of which it is incomplete. */
export type Outcome =
  | { readonly block: Block; readonly error?: undefined }
  | { readonly error: IndexerError | EvmError; readonly block?: undefined }

/** Sends calls to one node and returns its answers in call order. */
export type Ask = (calls: readonly Call[]) => Promise<readonly Answer[]>

/** The parts of a block that have been fetched so far. */
interface Draft {
  readonly request: BlockRequest
  header: Readonly<Record<string, unknown>> | undefined
  receipts: unknown
  traces: unknown
  error: IndexerError | EvmError | undefined
}

/** How the parts of a block are requested. */
export interface Needs {
  readonly abilities: Pick<Abilities, 'receiptsBy' | 'tracesBy'>
  readonly withTraces: boolean
  readonly name: string
}

/**
 * Reads blocks from one node. Requests headers and transactions first, then receipts and traces. If the hashes of
 * all blocks are known, requests everything at once, unless the node only returns receipts per transaction.
 * `BlockReader` checks that the parts belong together.
 */
export async function assemble(
  ask: Ask,
  requests: readonly BlockRequest[],
  needs: Needs,
): Promise<readonly Outcome[]> {
  const drafts = requests.map((request): Draft => {
    return { request, header: undefined, receipts: [], traces: undefined, error: undefined }
  })
  const isAtOnce =
    needs.abilities.receiptsBy !== 'transaction' && requests.every(({ hash }) => hash !== undefined)
  const first = drafts.map((draft) => headerStep(draft, needs))
  if (isAtOnce) {
    await run(ask, [...first, ...drafts.flatMap((draft) => partSteps(draft, needs))])
  } else {
    await run(ask, first)
    await run(
      ask,
      drafts.filter(hasTransactions).flatMap((draft) => partSteps(draft, needs)),
    )
  }
  await confirmHashes(ask, drafts.filter(hasTransactions), needs)
  return drafts.map((draft) => outcomeOf(draft, needs))
}

/** A call, and the function that handles its result. */
interface Step {
  readonly draft: Draft
  readonly call: Call
  readonly take: (result: unknown) => void
}

async function run(ask: Ask, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return
  const answers = await ask(steps.map(({ call }) => call))
  steps.forEach(({ draft, take }, i) => {
    const answer = answers[i]
    if (answer?.error !== undefined) draft.error ??= answer.error
    else take(answer?.result)
  })
}

function headerStep(draft: Draft, { name }: Needs): Step {
  const { height, hash } = draft.request
  return {
    draft,
    call: Calls.block(height, hash),
    take(result) {
      if (isObject(result)) draft.header = result
      else draft.error ??= absent(name, `block ${hash ?? height}`)
    },
  }
}

function partSteps(draft: Draft, needs: Needs): Step[] {
  const { receiptsBy, tracesBy } = needs.abilities
  const { height } = draft.request
  const hash = draft.request.hash ?? String(draft.header?.['hash'])
  const steps =
    receiptsBy === 'transaction'
      ? receiptSteps(draft, needs)
      : [step(draft, 'receipts', Calls.receipts(receiptsBy, height, hash), needs)]
  if (needs.withTraces && tracesBy !== undefined)
    steps.push(step(draft, 'traces', Calls.traces(tracesBy, height, hash), needs))
  return steps
}

function step(draft: Draft, part: 'receipts' | 'traces', call: Call, { name }: Needs): Step {
  return {
    draft,
    call,
    take(result) {
      if (result === null) draft.error ??= absent(name, `${part} of block ${draft.request.height}`)
      else draft[part] = result
    },
  }
}

function receiptSteps(draft: Draft, { name }: Needs): Step[] {
  const transactions = draft.header?.['transactions']
  const receipts: unknown[] = []
  draft.receipts = receipts
  return (Array.isArray(transactions) ? transactions : []).map((transaction) => {
    const hash = isObject(transaction) ? transaction['hash'] : undefined
    return {
      draft,
      call: Calls.receipt(hash),
      take(result) {
        if (result === null) draft.error ??= absent(name, `receipt of transaction ${hash}`)
        else receipts.push(result)
      },
    }
  })
}

/**
 * Checks that each height still has the same block. This is needed for traces that are requested by height,
 * because they do not contain the block's hash.
 */
async function confirmHashes(ask: Ask, drafts: readonly Draft[], needs: Needs): Promise<void> {
  const { tracesBy } = needs.abilities
  if (!needs.withTraces || tracesBy === undefined || tracesBy === 'hash') return
  const steps = drafts.map((draft): Step => {
    const { height } = draft.request
    return {
      draft,
      call: Calls.header(height),
      take(result) {
        if (isObject(result) && result['hash'] === draft.header?.['hash']) return
        draft.error ??= absent(needs.name, `traces of block ${draft.request.hash ?? height}`)
      },
    }
  })
  await run(ask, steps)
}

function hasTransactions({ header, error }: Draft): boolean {
  if (header === undefined || error !== undefined) return false
  return Array.isArray(header['transactions']) && header['transactions'].length > 0
}

function outcomeOf(draft: Draft, { withTraces, name }: Needs): Outcome {
  const { request, header } = draft
  const isEmpty = header !== undefined && !hasTransactions({ ...draft, error: undefined })
  // Nodes refuse to trace block 0, so an empty block is complete without receipts and traces.
  if (draft.error !== undefined && !(isEmpty && isSame(header, request)))
    return { error: foreignTransaction(draft, name) ?? draft.error }
  const traces = withTraces ? (isEmpty ? [] : draft.traces) : undefined
  const receipts = isEmpty && draft.error !== undefined ? [] : draft.receipts
  try {
    const block = BlockReader.read({ block: header, receipts, ...(withTraces ? { traces } : {}) })
    if (isSame(header, request) && block.height === request.height) return { block }
    return { error: contradicting(name, request, String(header?.['hash']), block.height) }
  } catch (error) {
    if (isFirnError(error)) return { error: error as EvmError }
    throw error
  }
}

/** Returns the error of a block with a transaction of another block, whose receipts can't be requested. */
function foreignTransaction({ request, header, error }: Draft, name: string): IndexerError | undefined {
  if (error?.code !== 'INDEXER_ABSENT' || header === undefined) return undefined
  const [first] = Array.isArray(header['transactions']) ? (header['transactions'] as readonly unknown[]) : []
  const block = isObject(first) ? first['blockHash'] : undefined
  if (block === undefined || String(block).toLowerCase() === String(header['hash']).toLowerCase())
    return undefined
  const message = `block ${request.height} ${header['hash']} of ${name} has transactions of block ${block}`
  return new IndexerError('INDEXER_BLOCK', message, { details: { upstream: name } })
}

function isSame(header: Draft['header'], { hash }: BlockRequest): boolean {
  return hash === undefined || String(header?.['hash']).toLowerCase() === hash.toLowerCase()
}

function contradicting(name: string, request: BlockRequest, hash: string, height: bigint): IndexerError {
  const expected = `block ${request.height} ${request.hash ?? ''}`.trimEnd()
  const actual = `block ${height} ${hash}`
  return new IndexerError('INDEXER_BLOCK', `expected ${expected} from ${name}, got ${actual}`, {
    details: { upstream: name, expected, actual },
  })
}

/** Creates the error for traces that a node cannot return. */
export function untraced(name: string, reason: string): IndexerError {
  return new IndexerError('INDEXER_UNTRACED', `${name} cannot return the traces of a block: ${reason}`, {
    details: { upstream: name },
  })
}

/** Creates the error for data that a node does not have, or does not have yet. */
export function absent(name: string, what: string): IndexerError {
  return new IndexerError('INDEXER_ABSENT', `${name} does not have ${what}`, {
    details: { upstream: name },
  })
}
