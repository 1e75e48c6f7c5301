import type { DescField, DescMessage } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { P2pError } from '../P2pError.ts'

/**
 * Maximum number of members in one message, nested ones included. Nodes send fewer than 200. Without a limit,
 * 2 MiB of empty list entries would become a million objects.
 */
const MAX_MEMBERS = 4_096

/** The last member of a one-of in the encoded message. */
export interface Member {
  readonly field: DescField
  /** Offset at which the member's value starts. */
  readonly start: number
  readonly end: number
  /** True if the message has no other member. */
  readonly isAlone: boolean
}

interface Walk {
  readonly bytes: Uint8Array
  at: number
  members: number
}

/**
 * Finds the effective member of the envelope's one-of without decoding it.
 * @throws P2pError `P2P_MESSAGE` if the top level is malformed
 */
export function findMember(bytes: Uint8Array, envelope: DescMessage): Member | undefined {
  const walk: Walk = { bytes, at: 0, members: 0 }
  let member: Member | undefined
  while (walk.at < bytes.length) {
    const from = walk.at
    const tag = readTag(walk)
    const field = fieldOf(envelope, tag >>> 3)
    const length = skip(walk, tag, bytes.length)
    if (field === undefined) continue
    if ((tag & 7) !== 2) throw malformed(`field ${field.number} has the wrong wire type ${tag & 7}`, from)
    member = { field, start: walk.at - length, end: walk.at, isAlone: from === 0 && walk.at === bytes.length }
  }
  return member
}

/**
 * Checks that bytes are a well-formed `message`: wire types, nesting, and a limited number of members. The
 * decoder that runs afterwards accepts a nested length that exceeds its parent, and does not limit its
 * allocations.
 * @throws P2pError `P2P_MESSAGE`
 */
export function check(bytes: Uint8Array, message: DescMessage): void {
  checkMessage({ bytes, at: 0, members: 0 }, bytes.length, message)
}

function checkMessage(walk: Walk, end: number, message: DescMessage): void {
  while (walk.at < end) {
    const from = walk.at
    if (++walk.members > MAX_MEMBERS)
      throw malformed(`the message has more than ${MAX_MEMBERS} members`, from)
    const tag = readTag(walk)
    const field = fieldOf(message, tag >>> 3)
    const length = skip(walk, tag, end)
    if (field === undefined) continue
    checkField(walk, field, tag & 7, walk.at - length, from)
  }
  if (walk.at > end) throw malformed('a member extends beyond its parent', end)
}

function checkField(walk: Walk, field: DescField, wireType: number, start: number, from: number): void {
  const nested = field.fieldKind === 'message' || field.fieldKind === 'list' ? field.message : undefined
  const isVarint = nested === undefined && isVarintScalar(field)
  const isPacked = isVarint && field.fieldKind === 'list' && wireType === 2
  if (!isPacked && wireType !== (isVarint ? 0 : 2))
    throw malformed(`field ${field.number} has the wrong wire type ${wireType}`, from)
  if (nested === undefined && !isPacked) return
  const inner: Walk = { bytes: walk.bytes, at: start, members: walk.members }
  if (nested !== undefined) checkMessage(inner, walk.at, nested)
  else
    while (inner.at < walk.at)
      if (++inner.members > MAX_MEMBERS) throw malformed('a packed list has too many elements', from)
      else skipVarint(inner, walk.at)
  walk.members = inner.members
}

function isVarintScalar(field: DescField): boolean {
  return field.scalar !== undefined && field.scalar !== ScalarType.BYTES && field.scalar !== ScalarType.STRING
}

const fields = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>()

function fieldOf(message: DescMessage, number: number): DescField | undefined {
  let byNumber = fields.get(message)
  if (byNumber === undefined) {
    byNumber = new Map(message.fields.map((field) => [field.number, field]))
    fields.set(message, byNumber)
  }
  return byNumber.get(number)
}

/**
 * Skips the value after a tag. Returns the length of the value, excluding its length prefix. The value ends at
 * `walk.at`.
 */
function skip(walk: Walk, tag: number, end: number): number {
  const start = walk.at
  switch (tag & 7) {
    case 0:
      skipVarint(walk, end)
      return walk.at - start
    case 1:
      return advance(walk, 8, end)
    case 2:
      return advance(walk, readLength(walk, end), end)
    case 5:
      return advance(walk, 4, end)
    default:
      throw malformed(`unsupported wire type ${tag & 7}`, start)
  }
}

function advance(walk: Walk, length: number, end: number): number {
  if (walk.at + length > end)
    throw malformed(`a member of ${length} bytes extends beyond its parent`, walk.at)
  walk.at += length
  return length
}

function readTag(walk: Walk): number {
  const start = walk.at
  const tag = readLength(walk, walk.bytes.length)
  if (tag >>> 3 === 0) throw malformed('invalid field number 0', start)
  return tag
}

/** Reads a varint of at most 32 bits. */
function readLength(walk: Walk, end: number): number {
  const first = walk.bytes[walk.at]
  if (first !== undefined && first < 0x80 && walk.at < end) {
    walk.at++
    return first
  }
  const start = walk.at
  skipVarint(walk, end)
  let value = 0
  for (let at = walk.at - 1; at >= start; at--) value = value * 128 + ((walk.bytes[at] as number) & 0x7f)
  if (value > 0xffff_ffff) throw malformed('a tag or length exceeds 32 bits', start)
  return value
}

function skipVarint(walk: Walk, end: number): void {
  const limit = Math.min(end, walk.at + 10)
  for (let at = walk.at; at < limit; at++) {
    if ((walk.bytes[at] as number) < 0x80) {
      walk.at = at + 1
      return
    }
  }
  throw malformed('an unterminated varint', walk.at)
}

function malformed(what: string, offset: number): P2pError {
  return new P2pError('P2P_MESSAGE', `malformed message: ${what} at offset ${offset}`, {
    details: { offset },
  })
}
