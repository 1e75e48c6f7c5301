/** Result of parsing an answer while the gateway forwards it. */
export interface ObservedResponse {
  /** First byte of the answer that is not white space; undefined for an empty answer. */
  readonly first: number | undefined
  /** Errors in the answer, each with the call's id as JSON text and the error code. */
  readonly errors: readonly { readonly id: string; readonly code: number }[]
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Maximum length of an error answer in bytes. Longer answers are treated as results. */
const LONGEST_ERROR = 4_096

/**
 * Parses an answer that arrives in parts. Keeps only the beginning of the current call's answer in memory.
 */
export class AnswerTap {
  readonly #errors: { id: string; code: number }[] = []
  #first: number | undefined
  #kept: number[] = []
  #depth = 0
  #isText = false
  #isEscaped = false

  /** Processes the next part of the answer. */
  push(part: Uint8Array): void {
    let at = 0
    if (this.#first === undefined) {
      while (at < part.length && (part[at] as number) <= 0x20) at++
      this.#first = part[at]
      if (this.#first === OPEN_LIST) at++
    }
    if (this.#first === OPEN_LIST) for (; at < part.length; at++) this.#step(part[at] as number)
    else
      for (; at < part.length && this.#kept.length <= LONGEST_ERROR; at++) this.#kept.push(part[at] as number)
  }

  /** Returns the result. Must be called after the last part. */
  end(): ObservedResponse {
    if (this.#first !== OPEN_LIST) this.#endCall()
    return { first: this.#first, errors: this.#errors }
  }

  /** Processes one byte of a batch of answers. */
  #step(byte: number): void {
    if (this.#kept.length <= LONGEST_ERROR) this.#kept.push(byte)
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) this.#isText = false
    } else if (byte === QUOTE) {
      this.#isText = true
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      this.#depth++
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#depth--
      if (this.#depth === 0) this.#endCall()
    } else if (this.#depth === 0 && byte === COMMA) {
      this.#kept = []
    }
  }

  #endCall(): void {
    const kept = Buffer.from(this.#kept)
    this.#kept = []
    if (kept.length > LONGEST_ERROR) return
    const found = errorOf(kept.toString())
    if (found !== undefined) this.#errors.push(found)
  }
}

/** Returns the error in the answer to a call. Returns undefined for a result or an invalid answer. */
export function errorOf(text: string): { readonly id: string; readonly code: number } | undefined {
  try {
    const { id, error } = JSON.parse(text) as { id?: unknown; error?: { code?: unknown } | null }
    const code = error?.code
    return Number.isInteger(code) ? { id: JSON.stringify(id ?? null), code: code as number } : undefined
  } catch {
    return undefined
  }
}
