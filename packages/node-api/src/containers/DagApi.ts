import { Bytes } from '@firn/codec'
import type { IndexMethods } from '@firn/rpc'
import { Transactions, Vertices } from '@firn/store'
import type { NodeContext } from '../Context.ts'
import { type Handlers, methodError } from '../Service.ts'
import { assertNotEmpty, assertNumber, item } from './IndexAnswers.ts'

type Api = Handlers<typeof IndexMethods>
type Entry = Pick<Vertices.VertexTransaction, 'id' | 'bytes' | 'acceptedAt'>

/** The entries of an index, numbered from 0. */
interface Entries {
  /** Returns the number of entries. */
  size(): Promise<bigint>
  range(first: bigint, last: bigint): Promise<Entry[]>
  find(id: Uint8Array): Promise<{ readonly index: bigint; readonly entry: Entry } | undefined>
}

/**
 * Returns the handlers of the X-chain's indices from before its linearization: of vertices, in the order in which they
 * were applied, or of their transactions, in the order of their positions. The timestamp is the time at which the node
 * behind the source accepted the vertex, or the time of the linearization if it is not known. The indices are empty on networks
 * that never had a DAG, and fail while no vertex of the DAG is stored.
 */
export function handlers(context: NodeContext, kind: 'tx' | 'vtx'): Api {
  const { upgrades } = context.constants
  const entries = kind === 'vtx' ? vertices(context) : transactions(context)
  const sizeOf = async () => {
    const size = await entries.size()
    if (size === 0n && !Bytes.isZero(upgrades.cortinaXChainStopVertexId))
      throw methodError(
        "vertices and transactions from before the X-chain's linearization are not available on this node",
      )
    return size
  }
  const find = async (id: Uint8Array) => {
    await sizeOf()
    return entries.find(id)
  }
  const itemOf = (entry: Entry, index: bigint, encoding: Parameters<typeof item>[2] = 'hex') =>
    item({ ...entry, time: upgrades.cortina, acceptedAt: entry.acceptedAt ?? undefined }, index, encoding)
  return {
    'index.getContainerByID': async ({ id, encoding }) => {
      const found = await find(id)
      if (found === undefined) throw methodError('not found')
      return itemOf(found.entry, found.index, encoding)
    },
    'index.getContainerByIndex': async ({ index, encoding }) => {
      const [entry] = index < (await sizeOf()) ? await entries.range(index, index) : []
      if (entry === undefined) throw methodError(`no container at index ${index}`)
      return itemOf(entry, index, encoding)
    },
    'index.getContainerRange': async ({ startIndex, numToFetch, encoding }) => {
      assertNumber(numToFetch)
      const size = assertNotEmpty(await sizeOf())
      if (startIndex >= size)
        throw methodError(`start index (${startIndex}) > last accepted index (${size - 1n})`)
      const wanted = startIndex + numToFetch - 1n
      const found = await entries.range(startIndex, wanted < size ? wanted : size - 1n)
      return { containers: found.map((entry, i) => itemOf(entry, startIndex + BigInt(i), encoding)) }
    },
    'index.getIndex': async ({ id }) => {
      const found = await find(id)
      if (found === undefined) throw methodError('not found')
      return { index: found.index }
    },
    'index.getLastAccepted': async ({ encoding }) => {
      const last = assertNotEmpty(await sizeOf()) - 1n
      const [entry] = await entries.range(last, last)
      if (entry === undefined) throw methodError('no containers have been accepted')
      return itemOf(entry, last, encoding)
    },
    'index.isAccepted': async ({ id }) => ({ isAccepted: (await find(id)) !== undefined }),
  }
}

function vertices({ store }: NodeContext): Entries {
  return {
    size: async () => BigInt((await Vertices.extent(store)).vertices),
    range: (first, last) => Vertices.range(store, Number(first), Number(last)),
    async find(id) {
      const entry = await Vertices.byId(store, id)
      return entry && { index: BigInt(entry.position), entry }
    },
  }
}

function transactions({ store, snapshot }: NodeContext): Entries {
  return {
    size: async () => BigInt((await Vertices.extent(store)).transactions),
    async range(from, to) {
      const { first } = await Vertices.extent(store)
      return Vertices.transactions(store, first + Number(from), first + Number(to))
    },
    async find(id) {
      const entry = await Transactions.byId(store, await snapshot(), 'X', id)
      if (entry === undefined || entry.height > 0n) return undefined
      const extent = await Vertices.extent(store)
      const index = entry.position - extent.first
      if (index < 0 || index >= extent.transactions) return undefined
      const [found] = await Vertices.transactions(store, entry.position, entry.position)
      return found && { index: BigInt(index), entry: found }
    },
  }
}
