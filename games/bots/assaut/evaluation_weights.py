"""Worths of Assaut's evaluation, in points for the soldiers.

They were fitted to how some 5,600 quick matches between searches ended, whose first moves and some
later ones were drawn by chance; what was found was used in the next matches.
"""

# By how many soldiers are gone; with sixteen the match is over.
GONE = (
    *(501, 371, 283, 233, 162, 118, 51, -38, -100),
    *(-208, -301, -367, -441, -500, -604, -634, -694),
    *([-694] * 8),
)

# Points are told by row from the top, and by the distance from the middle file; both wings alike.
# A soldier's: while there are two officers, then with one.
SOLDIER_POINTS = (
    (
        (64, 29),
        (45, 28),
        (67, 38, -6, 50),
        (45, 32, 3, -66),
        (-16, -2, -47, -14),
        (-13, -1),
        (-16, -37),
    ),
    (
        (82, 55),
        (93, 68),
        (92, 65, 91, 54),
        (87, 86, 48, 18),
        (80, 79, 0, 28),
        (12, -31),
        (26, -32),
    ),
)
# An officer's.
OFFICER_POINTS = (
    (-185, -133),
    (-157, -142),
    (-155, -141, -76, -69),
    (-95, -62, -87, -50),
    (-63, -59, -62, -62),
    (-36, -31),
    (34, 22),
)
# By how many soldiers are in the fortress: with two officers of whom none, one, both are there too,
# then with one officer that is out, or in.
HELD = (
    (-146, -135, -81, -38, 28, 104, 179, 280, 334, 0),
    (-37, -55, -29, -38, -11, -67, -96, -201, -491, 0),
    (70, 54, 37, 29, 55, 149, 119, -148, 0, 0),
    (-290, -270, -211, -162, -139, -47, 44, 205, 145, 0),
    (-175, -203, -214, -105, -17, 52, 45, -33, 34, 0),
)
# By the steps that two officers have together, and those of one alone.
ROOM = (
    *(0, -65, -8, -8, 6, 10, 0, 1, 6),
    *(-10, -14, -13, 2, 14, -7, -48, -48),
)
ROOM_ALONE = (0, -187, -170, -178, -177, -157, -156, -178, -137)
