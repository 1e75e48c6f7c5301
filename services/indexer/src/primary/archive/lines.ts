import { open } from 'node:fs/promises'
import { IndexerError } from '../../common/IndexerError.ts'
import { MAX_LINE } from './Archive.ts'

const CHUNK = 1 << 20
const LINE_FEED = 10

/** A line of a file with its number, which starts at 1. */
export interface NumberedLine {
  readonly number: number
  readonly text: string
}

/**
 * Yields the lines of a file, read in chunks of a megabyte, so that memory use is constant. Empty lines are
 * skipped. A last line without a line break is included.
 * @throws IndexerError `INDEXER_ARCHIVE` if a line is too long; errors of the file system
 */
export async function* linesOf(path: string): AsyncGenerator<NumberedLine> {
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    let parts: Buffer[] = []
    let size = 0
    let number = 0
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK)
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0 && end < bytesRead; ) {
        number += 1
        const text = take(parts, chunk.subarray(start, end))
        ;[parts, size, start] = [[], 0, end + 1]
        if (text !== '') yield { number, text }
        end = chunk.indexOf(LINE_FEED, start)
      }
      if (bytesRead === 0) break
      parts.push(Buffer.from(chunk.subarray(start, bytesRead)))
      size += bytesRead - start
      if (size > MAX_LINE) throw tooLong(path, number + 1)
    }
    const text = take(parts, Buffer.alloc(0))
    if (text !== '') yield { number: number + 1, text }
  } finally {
    await file.close()
  }
}

/**
 * Returns the last non-empty line of a file; undefined for an empty file. Only the end of the file is read.
 */
export async function lastLineOf(path: string): Promise<string | undefined> {
  const { tail } = await tailOf(path)
  const text = tail.toString('utf8', tail.lastIndexOf(LINE_FEED, Math.max(endOfText(tail) - 1, 0)) + 1).trim()
  return text === '' ? undefined : text
}

/**
 * Returns the last line that ends with a line break, and the position of its end. The bytes after this
 * position belong to a truncated line.
 */
export async function lastWhole(
  path: string,
): Promise<{ readonly size: number; readonly text: string | undefined }> {
  const { tail, from } = await tailOf(path)
  const end = tail.lastIndexOf(LINE_FEED)
  if (end < 0) return { size: 0, text: undefined }
  const text = tail.toString('utf8', tail.lastIndexOf(LINE_FEED, Math.max(end - 1, 0)) + 1, end).trim()
  return { size: from + end + 1, text: text === '' ? undefined : text }
}

/**
 * Reads a file backwards until two line breaks are read, and returns that last part and the position at which
 * it starts. Reads the whole file if it has fewer line breaks, and stops after {@link MAX_LINE} bytes.
 */
async function tailOf(path: string): Promise<{ readonly tail: Buffer; readonly from: number }> {
  const file = await open(path, 'r')
  try {
    let from = (await file.stat()).size
    let tail = Buffer.alloc(0)
    while (from > 0 && tail.length <= MAX_LINE) {
      const length = Math.min(CHUNK, from)
      from -= length
      const piece = Buffer.alloc(length)
      await file.read(piece, 0, length, from)
      tail = Buffer.concat([piece, tail])
      const last = tail.lastIndexOf(LINE_FEED)
      if (last > 0 && tail.lastIndexOf(LINE_FEED, last - 1) >= 0) break
    }
    return { tail, from }
  } finally {
    await file.close()
  }
}

/** Returns the offset at which trailing white space starts. */
function endOfText(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] ?? 0) <= 0x20) end -= 1
  return end
}

function take(parts: readonly Buffer[], last: Buffer): string {
  return (parts.length === 0 ? last : Buffer.concat([...parts, last])).toString('utf8').trim()
}

function tooLong(path: string, line: number): IndexerError {
  return new IndexerError('INDEXER_ARCHIVE', `${path}:${line}: the line is longer than ${MAX_LINE} bytes`, {
    details: { path, line },
  })
}
