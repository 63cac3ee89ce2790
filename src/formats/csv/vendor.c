/* The heads of known programs: where the rate and the names are, and which columns are a point. */
#include "formats/csv/head.h"

static const struct vendor vendors[] = {
    { "Format Version", "Export Frame Rate", "Frame" }, /* Motive */
    { "Trajectories", NULL, "Frame" },                  /* Vicon, and the next four */
    { "Devices", NULL, "Frame" },
    { "Model Outputs", NULL, "Frame" },
    { "Joints", NULL, "Frame" },
    { "Segments", NULL, "Frame" },
    { "NO_OF_FRAMES", "FREQUENCY", NULL }, /* Qualisys, and the next */
    { "NO_OF_SAMPLES", "FREQUENCY", NULL },
};

/* Does the text begin with this cell? */
static bool begins_with(const char *p, const char *end, const char *cell)
{
    const size_t n = strlen(cell);
    return (size_t)(end - p) > n && memcmp(p, cell, n) == 0 && strchr(",\t;\r\n", p[n]);
}

const struct vendor *vendor_find(const char *p, const char *end)
{
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        if (begins_with(p, end, vendors[i].first))
            return &vendors[i];
    return NULL;
}

bool vendor_holds(struct head *head, const char *p, const char *end)
{
    const struct vendor *vendor = head->vendor;
    if (!vendor)
        return false;
    const bool above = vendor->names && !head->past_names;
    if (above)
        head->past_names = begins_with(p, end, vendor->names);
    return above || strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") > 2;
}

/* Joins the names of Motive: those of markers and bodies, below the line of types, of kinds of data, and of
 * axes. */
static void join_motive(struct head *head, const struct head_record *names)
{
    const struct head_record *types = head->record + 1, *kinds = names - 1;
    while (types < kinds && types->in[head->cut].ntext == 0)
        types++;
    if (types + 1 >= kinds || types[1].in[head->cut].ncell != names->in[head->cut].ncell)
        return;
    head->line[0] = types + 1;
    head->line[1] = kinds;
    head->line[2] = names;
    head->nline = 3;
    head->motive = true;
}

void vendor_read(struct head *head)
{
    struct csv *csv = head->csv;
    const char *rate = head->vendor->rate;
    const struct head_record *stop = head->nline > 0 ? head->line[0] : head->row;
    for (const struct head_record *look = head->record; stop && look < stop; look++) {
        const struct head_tally *tally = &look->in[head->cut];
        struct head_cells cells = head_cells(head, look);
        bool found = !rate && tally->nnumber == 1 && tally->ntext == 0;
        struct csv_cell cell;
        double x;
        while (cells.p && !found) {
            cell = head_next_cell(head, &cells);
            found = rate && cell.n == strlen(rate) && memcmp(cell.at, rate, cell.n) == 0;
        }
        cell = head_next_cell(head, &cells);
        if (csv_kind(head->reader, &cell, &x) != CELL_NUMBER || !(x > 0))
            continue;
        head->reader->table.rate = x;
        csv->rate = (size_t)(cell.at - csv->rest);
        csv->nrate = cell.n;
    }
    const struct head_record *names = head->nline == 1 ? head->line[0] : NULL;
    if (!names || names == head->record || !head->vendor->names)
        return;
    if (rate) {
        join_motive(head, names);
    } else if (names[-1].in[head->cut].ntext > 0 && names[-1].in[head->cut].nnumber == 0) {
        head->line[0] = names - 1;
        head->line[1] = names;
        head->nline = 2;
    }
}

void vendor_mark_vectors(struct head *head)
{
    struct table *table = &head->reader->table;
    const char *end = head->motive ? ".Position.X" : ".X";
    const char *const axis[] = { "X", "Y", "Z" };
    const size_t nend = strlen(end);
    for (size_t i = 0; i + 3 <= table->ncolumn; i++) {
        struct column *column = &table->column[i];
        const char *name = column->name;
        const size_t n = strlen(name);
        bool marker = n > nend && strcmp(name + n - nend, end) == 0;
        for (size_t k = 1; k < 3 && marker; k++)
            marker = strncmp(column[k].name, name, n - 1) == 0 &&
                     strcmp(column[k].name + n - 1, axis[k]) == 0;
        for (size_t k = 0; k < 3 && marker; k++)
            column[k].vector = i + 1;
    }
}
