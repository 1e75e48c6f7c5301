import { describe, expect, it } from 'vitest'
import type { Repository } from '../Repository.ts'
import * as Errors from './Errors.ts'

const pageOf = (comment: string): string => {
  const read = () => `/**\n${comment}\n */\nexport type SampleErrorCode = 'SAMPLE_ONE' | 'SAMPLE_TWO'\n`
  const code = ['packages/sample/src/SampleError.ts']
  return Errors.page({ root: '/', code, documents: [], packages: [], read } satisfies Repository).text
}

describe('Errors.page', () => {
  it.each([
    ['items', ' * Codes:\n * - `SAMPLE_ONE`: the first\n * one.\n * - `SAMPLE_TWO`: the second'],
    ['rows of a table', ' * | `SAMPLE_ONE` | the first one |\n * | `SAMPLE_TWO` | the second |'],
  ])('has the meaning of each code from %s', (_name, comment) => {
    expect(pageOf(comment)).toContain('| `SAMPLE_ONE` | The first one. |\n| `SAMPLE_TWO` | The second. |')
  })

  it('has one meaning for several codes', () => {
    const page = pageOf(' * - `SAMPLE_ONE`,\n * `SAMPLE_TWO`: both')
    expect(page).toContain('| `SAMPLE_ONE` | Both. |\n| `SAMPLE_TWO` | Both. |')
  })

  it('fails for a code without a meaning', () => {
    expect(() => pageOf(' * - `SAMPLE_ONE`: the first')).toThrow(
      /SampleErrorCode does not describe SAMPLE_TWO/,
    )
  })
})
