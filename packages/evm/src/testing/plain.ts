/**
 * This module derives data from a block's JSON as text, without the code under test, so that tests can
 * compare the results.
 */

type Json = Readonly<Record<string, unknown>>

interface PlainFrame {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly gas: string
  readonly gasUsed: string
  readonly error?: string
  readonly calls?: readonly PlainFrame[]
}

/** The parts of a block from which this module derives data. */
export interface PlainParts {
  readonly block: { readonly transactions: readonly { readonly from: string; readonly to: string | null }[] }
  readonly receipts: readonly {
    readonly contractAddress: string | null
    readonly status: string
    readonly logs: readonly {
      readonly address: string
      readonly topics: readonly string[]
      readonly data: string
      readonly logIndex: string
    }[]
  }[]
  readonly traces?: readonly { readonly result: PlainFrame }[]
}

const ADDRESS = /^0x0{24}[0-9a-f]{40}$/
const cut = (topic: string | undefined) => `0x${topic?.slice(26)}`
const wordsOf = (data: string) => data.slice(2).match(/.{64}/g) ?? []
const number = (digits: string | undefined) => BigInt(`0x${digits}`)

/** Returns the transfers as lines of text. */
export function transfers({ receipts }: PlainParts): string[] {
  return receipts.flatMap(({ logs }, transaction) =>
    logs.flatMap(({ address, topics, data, logIndex }) => {
      const line = (standard: number, from: number, position: number, id: bigint | string, amount: bigint) =>
        [
          ...[transaction, Number(logIndex), position, standard, address],
          ...[cut(topics[from]), cut(topics[from + 1]), id, amount],
        ].join(' ')
      const words = wordsOf(data)
      const whole = words.length * 64 + 2 === data.length
      const areAddresses = (count: number) => topics.slice(1, 1 + count).every((topic) => ADDRESS.test(topic))
      if (topics[0]?.startsWith('0xddf252ad')) {
        const fields = [...topics.slice(1), ...words.map((digits) => `0x${digits}`)]
        if (
          topics.length < 3 &&
          whole &&
          fields.length === 3 &&
          fields.slice(0, 2).every((one) => ADDRESS.test(one))
        ) {
          const parties = fields.slice(0, 2).map(cut).join(' ')
          return [
            [transaction, Number(logIndex), 0, 20, address, parties, '-', BigInt(String(fields[2]))].join(
              ' ',
            ),
          ]
        }
        if (!areAddresses(2)) return []
        if (topics.length === 3 && whole && words.length === 1) return [line(20, 1, 0, '-', number(words[0]))]
        return topics.length === 4 && data === '0x' ? [line(721, 1, 0, number(topics[3]?.slice(2)), 1n)] : []
      }
      if (topics[0]?.startsWith('0xdeaa91b6')) {
        if (topics.length !== 4 || !whole || words.length !== 1) return []
        if (!topics.slice(2).every((topic) => ADDRESS.test(topic))) return []
        const [start, end] = [number(topics[1]?.slice(2)), number(words[0])]
        const count = end < start || end - start > 1000n ? 0 : Number(end - start) + 1
        return Array.from({ length: count }, (_, i) => line(721, 2, i, start + BigInt(i), 1n))
      }
      if (topics.length !== 4 || !areAddresses(3)) return []
      if (topics[0]?.startsWith('0xc3d58168')) {
        return whole && words.length === 2 ? [line(1155, 2, 0, number(words[0]), number(words[1]))] : []
      }
      if (!topics[0]?.startsWith('0x4a39dc06')) return []
      // Only the canonical layout is accepted: two offsets, followed by the length and the elements of each
      // array.
      const count = Number(number(words[2]))
      const heads = [64n, 96n + 32n * BigInt(count), BigInt(count), BigInt(count)]
      if (words.length !== 4 + 2 * count) return []
      if ([0, 1, 2, 3 + count].some((at, i) => number(words[at]) !== heads[i])) return []
      return words
        .slice(3, 3 + count)
        .map((id, i) => line(1155, 2, i, number(id), number(words[4 + count + i])))
    }),
  )
}

interface PlainCall {
  readonly frame: PlainFrame
  readonly transaction: number
  readonly position: number
  readonly succeeded: boolean
}

function calls({ receipts, traces }: PlainParts): PlainCall[] {
  return (traces ?? []).flatMap(({ result }, transaction) => {
    const found: PlainCall[] = []
    const visit = (frame: PlainFrame, isInEffect: boolean): void => {
      const succeeded = isInEffect && frame.error === undefined
      found.push({ frame, transaction, position: found.length, succeeded })
      for (const call of frame.calls ?? []) visit(call, succeeded)
    }
    visit(result, receipts[transaction]?.status === '0x1')
    return found
  })
}

const createdIn = (parts: PlainParts) => calls(parts).filter(({ frame }) => frame.type.startsWith('CREATE'))

/** Returns the creations as lines of text, read from traces. Each ends with whether a contract was created. */
export function creations(parts: PlainParts): string[] {
  return createdIn(parts).map(({ frame, transaction, position, succeeded }) =>
    [
      ...[transaction, position, frame.type, frame.to ?? '-'],
      ...[parts.block.transactions[transaction]?.from, frame.from, succeeded],
    ].join(' '),
  )
}

/** Returns the internal calls as lines of text. */
export function internalCalls(parts: PlainParts): string[] {
  return calls(parts)
    .filter(({ position }) => position > 0)
    .map(({ frame, transaction, position, succeeded }) => {
      const value = /^(DELEGATE|STATIC)/.test(frame.type) ? '0x0' : (frame.value ?? '')
      return [
        ...[transaction, position, frame.type, frame.from, frame.to ?? '-'],
        ...[BigInt(value), BigInt(frame.gas), BigInt(frame.gasUsed), succeeded],
      ].join(' ')
    })
}

/** Returns the active addresses, sorted. */
export function activity(parts: PlainParts): Json {
  const moved = transfers(parts).map((line) => line.split(' '))
  const senders = [...parts.block.transactions.map(({ from }) => from), ...moved.map((fields) => fields[5])]
  const recipients = [...parts.block.transactions.map(({ to }) => to), ...moved.map((fields) => fields[6])]
  const sorted = (all: readonly unknown[]) => [...new Set(all.filter((one) => one !== null))].sort()
  return {
    addresses: sorted([...senders, ...recipients]),
    senders: sorted(senders),
    deployers: sorted(createdIn(parts).flatMap(({ frame, succeeded }) => (succeeded ? [frame.from] : []))),
  }
}
