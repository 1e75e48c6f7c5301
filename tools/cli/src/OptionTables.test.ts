import { expect, test } from 'vitest'
import * as OptionTables from './OptionTables.ts'

test.each(await OptionTables.documents())(
  'matches the option tables of $path with the declared options',
  ({ text, expected }) => {
    expect(text === expected, 'A table of options is stale. Run npm run options to rewrite it.').toBe(true)
  },
)
