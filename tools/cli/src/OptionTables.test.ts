import { expect, test } from 'vitest'
import * as OptionTables from './OptionTables.ts'

test.each(await OptionTables.documents())(
  'lists the declared options in the option tables of $path',
  ({ text, expected }) => {
    expect(text === expected, 'A table of options is stale. Run npm run options to rewrite it.').toBe(true)
  },
)
