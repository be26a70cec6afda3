import { z } from 'zod';

// Zod would make code of text to parse faster, and tries whether it may: the page's CSP forbids it and would say so in the
// console. Imported before any schema, for each decides when it is made.
z.config({ jitless: true });
