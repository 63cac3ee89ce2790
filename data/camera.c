/* A camera follows a target, at any frame rate: the filter `critical` of libsprung in a game loop.
 * cc camera.c -lsprung -lm && ./a.out */
#include <sprung.h>
#include <stdio.h>

int main(void)
{
    sprung *camera;
    char message[200];
    double target[3] = { 0, 1, 2 }, position[3];
    if (sprung_open(&camera, "critical", "halflife=0.1", 3,
                    message, sizeof message) != SPRUNG_OK) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    for (int frame = 0; frame < 60; frame++) {
        double seconds = frame % 10 == 9 ? 0.05 : 0.0167;
        target[0] += 4 * seconds;
        sprung_process(camera, 1, &seconds, target, NULL,
                       position, NULL, NULL);
    }
    printf("%.3f %.3f %.3f\n", position[0], position[1], position[2]);
    sprung_close(camera);
}
