import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as Help from './configuration/Help.ts'

/** The formatter pads the columns of tables. */
const squeeze = (text: string) => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---')

test('the table of options holds what the code says', () => {
  const document = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  expect(squeeze(document)).toContain(squeeze(Help.markdownTable()))
})
