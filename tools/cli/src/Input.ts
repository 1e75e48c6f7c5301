import { readFileSync, statSync } from 'node:fs'
import { Hex, isJsonObject, Json } from '@firn/codec'
import { CliError } from './CliError.ts'

/** Maximum size of a file or standard input, in bytes. */
const MAX_INPUT = 64 << 20
const STDIN = 0

/**
 * Returns whether a file with this name exists. Returns false for arguments that cannot be file names, such
 * as a long message or a text with NUL.
 */
const isFile = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false
  }
}

const readLimited = (source: string | typeof STDIN, name: string): string => {
  const bytes = readFileSync(source)
  if (bytes.length <= MAX_INPUT) return bytes.toString('utf8').trim()
  throw new CliError('CLI_INPUT', `${name}: expected at most ${MAX_INPUT} bytes, got ${bytes.length}`)
}

const given = (argument: string): string => {
  if (argument === '-') return readLimited(STDIN, 'standard input')
  return isFile(argument) ? readLimited(argument, argument) : argument.trim()
}

/**
 * Returns the text that an argument refers to: standard input for `-`, the contents of the file with that
 * name if it exists, or the argument itself.
 * @throws CliError `CLI_INPUT`
 */
export const text = (argument: string): string => {
  const found = given(argument)
  if (found !== '') return found
  const name = argument === '-' ? 'standard input' : argument.trim() || 'the argument'
  throw new CliError('CLI_INPUT', `${name} is empty; pass a text, a file name, or - for standard input`)
}

/**
 * Returns the contents of a file.
 * @throws CliError `CLI_INPUT`
 */
export const file = (path: string): string => {
  if (isFile(path)) return readLimited(path, path)
  throw new CliError('CLI_INPUT', `the file ${JSON.stringify(path)} does not exist`)
}

const member = (json: Json.Json, names: readonly string[]): Json.Json | undefined => {
  if (!isJsonObject(json)) return undefined
  const object = json as { readonly [name: string]: Json.Json }
  return names.map((name) => object[name]).find((value) => value !== undefined)
}

/**
 * Parses a signed message: hex with or without `0x`, or the JSON of an aggregator's response.
 * @throws CliError `CLI_INPUT`; CodecError for invalid hex
 */
export const signedMessage = (argument: string): Uint8Array => {
  const message = text(argument)
  if (!message.startsWith('{')) return Hex.decodeAny(message)
  const found = member(Json.parse(message), ['signedMessage', 'signed-message'])
  if (typeof found === 'string') return Hex.decodeAny(found)
  throw new CliError('CLI_INPUT', 'expected JSON with a member "signedMessage"')
}

/**
 * Returns the JSON of a proof bundle from a file: the whole file, or the member `proof` of an aggregator's
 * response.
 * @throws CliError `CLI_INPUT`; CodecError `CODEC_JSON`
 */
export const proofBundle = (path: string): Json.Json => {
  const json = Json.parse(file(path))
  return member(json, ['proof', 'proofBundle']) ?? json
}
