"""Weights of Assaut's evaluation function, in points for the soldiers.

They were fitted to the results of some 5,600 fast matches between searches, with random first moves
and some random later ones; each fit was used in the next matches.
"""

# By the number of soldiers that are gone; with sixteen the match is over.
SOLDIERS_GONE = (
    *(501, 371, 283, 233, 162, 118, 51, -38, -100),
    *(-208, -301, -367, -441, -500, -604, -634, -694),
    *([-694] * 8),
)

# Points by row from the top, and by the distance from the middle file.
# Of a soldier: against two officers, then against one.
SOLDIER_POINTS = (
    (
        *((64, 29), (45, 28), (67, 38, -6, 50), (45, 32, 3, -66)),
        *((-16, -2, -47, -14), (-13, -1), (-16, -37)),
    ),
    ((82, 55), (93, 68), (92, 65, 91, 54), (87, 86, 48, 18), (80, 79, 0, 28), (12, -31), (26, -32)),
)
# Of an officer.
OFFICER_POINTS = (
    *((-185, -133), (-157, -142), (-155, -141, -76, -69), (-95, -62, -87, -50)),
    *((-63, -59, -62, -62), (-36, -31), (34, 22)),
)
# By the number of soldiers in the fortress: against two officers of which none, one or both are
# inside, then against one officer, outside or inside.
FORTRESS_SOLDIERS = (
    (-146, -135, -81, -38, 28, 104, 179, 280, 334, 0),
    (-37, -55, -29, -38, -11, -67, -96, -201, -491, 0),
    (70, 54, 37, 29, 55, 149, 119, -148, 0, 0),
    (-290, -270, -211, -162, -139, -47, 44, 205, 145, 0),
    (-175, -203, -214, -105, -17, 52, 45, -33, 34, 0),
)
# By the number of free points next to two officers together, and next to a single one.
MOBILITY = (
    *(0, -65, -8, -8, 6, 10, 0, 1, 6),
    *(-10, -14, -13, 2, 14, -7, -48, -48),
)
SINGLE_MOBILITY = (0, -187, -170, -178, -177, -157, -156, -178, -137)
