import { describe, expect, test } from 'vitest'
import { clean } from './ChainText.ts'

describe('clean', () => {
  test('keeps markup, letters of all scripts and emoji as they are', () => {
    const text = '<b>Firn</b> фирн 雪 👩‍🚀'
    expect(clean(text)).toBe(text)
  })

  test('replaces control characters and those that change the direction of text', () => {
    expect(clean('a\u202eb\u0000c\u2066d\ne\u2028')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde\ufffd')
  })

  test('replaces invisible characters, and joiners that join nothing', () => {
    expect(clean('US\u200bDC\u200d\u3164\u2800')).toBe('US\ufffdDC\ufffd\ufffd\ufffd')
    const sinhala = 'ශ්\u200dරී'
    expect(clean(sinhala)).toBe(sinhala)
  })

  test('limits the marks on a character', () => {
    expect(clean(`Z${'\u0301'.repeat(200)}a`)).toBe(`Z${'\u0301'.repeat(4)}a`)
  })

  test('cuts long texts between characters', () => {
    expect(clean('😀'.repeat(100), 3)).toBe('😀😀😀…')
  })
})
