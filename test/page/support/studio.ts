import type { Host } from '../../../src/workspace/host.ts';
import { notebookWrites } from '../../apps/notebook.ts';

const checkbox = (item: string, text: string, done: boolean) => ({ item, type: 'checkbox' as const, text, done });
const paragraph = (item: string, text: string) => ({ item, type: 'paragraph' as const, text });

/** Makes the workspace `studio`, with notes, the lab and the forms, and a few pages. */
export const seedStudio = ({ registry, store }: Host): void => {
  registry.createWorkspace('studio', 'Studio', ['notes', 'lab', 'forms']);
  store.transaction(() => {
    store.write(
      'studio',
      'notes',
      notebookWrites([
        {
          item: '0a01',
          title: 'Garden',
          pinned: true,
          blocks: [
            checkbox('a101', 'Water the tomatoes', false),
            checkbox('a102', 'Order seeds', true),
            paragraph('a103', 'Compost is ready in May.'),
          ],
        },
        { item: '0a02', title: 'Reading list', pinned: false, blocks: [checkbox('a201', 'Piranesi', false)] },
        { item: '0a03', title: 'House move', pinned: false, blocks: [checkbox('a301', 'Book the van', false)] },
      ]),
    );
    store.raiseCounter('studio', 'notes', 0xffff);
  });
};
