import type { Migration } from 'kysely';

/** Returns the migration that adds the column of a preference with the value of existing users: 0 and 1 for switches. */
export const addUserColumn = (column: string, value: 0 | 1 | string): Migration => ({
  async up(database) {
    await database.schema
      .alterTable('users')
      .addColumn(column, typeof value === 'string' ? 'text' : 'integer', (definition) =>
        definition.notNull().defaultTo(value),
      )
      .execute();
  },
});

/** Returns the migration that adds a column of numbers to a table; it is 0 in existing rows. */
export const addNumberColumn = (table: string, column: string): Migration => ({
  async up(database) {
    await database.schema
      .alterTable(table)
      .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
      .execute();
  },
});

/** Returns the migration that adds a column of optional text to a table. */
export const addTextColumn = (table: string, column: string): Migration => ({
  async up(database) {
    await database.schema.alterTable(table).addColumn(column, 'text').execute();
  },
});

/** Returns the migration that adds a column of optional integers to a table. */
export const addOptionalNumberColumn = (table: string, column: string): Migration => ({
  async up(database) {
    await database.schema.alterTable(table).addColumn(column, 'integer').execute();
  },
});
